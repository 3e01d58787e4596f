/** Where the process stands: serving, or on its way out. */
export interface Lifecycle {
  draining: boolean;
}
