/** A worker ended before it was ready, after it had said why. `code`: its exit code. */
export class WorkerStartError extends Error {
  override readonly name = 'WorkerStartError';
  readonly code: number;

  constructor(code: number) {
    super(`Roomful did not start: a worker ended with code ${code}. The lines above say why.`);
    this.code = code;
  }
}
