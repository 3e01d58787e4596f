/** Records durations while it is switched on. */
export class Recorder {
  isOn = false;
  #values: number[] = [];

  record(ms: number): void {
    if (this.isOn) this.#values.push(ms);
  }

  /** Returns the durations recorded since the last call. */
  take(): Float64Array {
    const values = Float64Array.from(this.#values);
    this.#values = [];
    return values;
  }
}
