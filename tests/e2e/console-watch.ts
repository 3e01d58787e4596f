/** What goes wrong on a page: errors in the console, uncaught exceptions, dialogs. */
import type { Page } from 'playwright-core';

/** The browser itself writes an error for each request that was refused or got no response. */
export const REFUSED = /^Failed to load resource: the server responded with a status of (401|404|409|429)/;
/** The last of them is for the script of the service worker. */
export const UNREACHABLE =
  /^Failed to load resource: net::ERR_|^WebSocket connection to .* failed|^An unknown error occurred when fetching the script/;

export class ConsoleWatch {
  readonly #complaints: string[] = [];
  readonly #expected: RegExp[] = [];

  constructor(page: Page) {
    page.on('console', (message) => {
      // A page that is not of the client, as an image on its own, names no icon, and the browser asks for this one.
      const { url } = message.location();
      if (url.endsWith('/favicon.ico')) return;
      if (message.type() === 'error' || message.type() === 'warning')
        this.#complaints.push(`${message.text()} (at ${url})`);
    });
    page.on('pageerror', (error) => this.#complaints.push(`uncaught: ${error.stack ?? error.message}`));
    page.on('dialog', (dialog) => {
      this.#complaints.push(`a dialog opened: ${dialog.message()}`);
      void dialog.dismiss();
    });
  }

  /** The test provokes errors like these. */
  expect(...patterns: RegExp[]): void {
    this.#expected.push(...patterns);
  }

  /** The errors that no test expected. */
  get surprises(): string[] {
    return this.#complaints.filter((text) => !this.#expected.some((pattern) => pattern.test(text)));
  }
}
