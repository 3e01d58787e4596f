/** The state of the process: serving, or draining before a stop. */
export interface Lifecycle {
  draining: boolean;
}
