/** A user of the web client: what they see and do, by accessible names. */
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { ConsoleWatch } from './console-watch.ts';

export class Person {
  readonly page: Page;
  readonly console: ConsoleWatch;
  readonly #context: BrowserContext;

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.page = page;
    this.console = new ConsoleWatch(page);
  }

  /** Opens the client in a new tab. `stored`: what local storage has before it opens. */
  static async sitDown(
    context: BrowserContext,
    path: string,
    stored?: Record<string, string>,
  ): Promise<Person> {
    const page = await context.newPage();
    const person = new Person(context, page);
    if (stored === undefined) await page.goto(path);
    else await openWith(page, path, stored);
    return person;
  }

  /** Another tab of the same browser. */
  openTab(path = '/'): Promise<Person> {
    return Person.sitDown(this.#context, path);
  }

  // Outside

  get username(): Locator {
    return this.page.getByLabel('Username', { exact: true });
  }

  get password(): Locator {
    return this.page.getByLabel('Password', { exact: true });
  }

  /** The form for signing in, or up; without a name, either. */
  form(name: 'Sign in' | 'Sign up' | RegExp = /^Sign (in|up)$/): Locator {
    return this.page.getByRole('form', { name, exact: true });
  }

  get submit(): Locator {
    return this.form().locator('button[type=submit]');
  }

  /** Goes to the other form where it is not this one. */
  async choose(name: 'Sign in' | 'Sign up'): Promise<void> {
    await this.isOutside();
    if ((await this.form(name).count()) === 0) {
      await this.button(name === 'Sign in' ? 'Sign in' : 'Create account').click();
    }
    await this.form(name).waitFor();
  }

  async signUp(username: string, password: string): Promise<void> {
    await this.choose('Sign up');
    await this.username.fill(username);
    await this.password.fill(password);
    await this.submit.click();
  }

  async signIn(username: string, password: string): Promise<void> {
    await this.choose('Sign in');
    await this.username.fill(username);
    await this.password.fill(password);
    await this.submit.click();
  }

  /** The form for signing in, or up, is shown. */
  async isOutside(): Promise<void> {
    await this.form().waitFor();
  }

  /** The service worker has the client on the device and serves this page. */
  async isKept(): Promise<void> {
    await this.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  }

  // Sidebar

  get rooms(): Locator {
    return this.page.getByRole('navigation', { name: 'Rooms' });
  }

  /** The row of one room in the list. */
  roomRow(name: string): Locator {
    return this.page.getByTestId('room').filter({ hasText: name });
  }

  get me(): Locator {
    return this.page.getByTestId('me');
  }

  /** The account of a phone: a place of its bar. */
  get you(): Locator {
    return this.page.getByTestId('settings-place');
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog', { name: 'New room' });
  }

  /** The button whose menu has what can be made. */
  get new(): Locator {
    return this.button('New');
  }

  newItem(name: 'New message' | 'New room' | 'Invite people'): Locator {
    return this.page.getByRole('menuitem', { name });
  }

  /** Opens the dialog for a new room. */
  async startRoom(): Promise<void> {
    await this.new.click();
    await this.newItem('New room').click();
  }

  /** The field that opens the search. */
  get search(): Locator {
    return this.button('Search or jump');
  }

  /** Rooms, people and commands. */
  get switcher(): Locator {
    return this.page.getByRole('dialog', { name: 'Jump to a room or run a command' });
  }

  /** What the search has found. */
  found(name: string): Locator {
    return this.switcher.getByRole('option').filter({ hasText: name });
  }

  /** Searches by the field in the sidebar. */
  async searchFor(query: string): Promise<void> {
    await this.search.click();
    await this.switcher.getByRole('combobox').fill(query);
  }

  async createRoom(name: string): Promise<void> {
    await this.startRoom();
    await this.page.getByLabel('Room name').fill(name);
    await this.button('Create room').click();
    await this.isIn(name);
  }

  /** From the list, which has one's own rooms, else by searching for it. */
  async openRoom(name: string): Promise<void> {
    const row = this.roomRow(name);
    if ((await row.count()) > 0) await row.click();
    else {
      await this.searchFor(name);
      await this.found(name).first().click();
    }
    await this.isIn(name);
  }

  /** In settings and administration: to a section. */
  async goToSection(name: string): Promise<void> {
    await this.page.getByRole('link', { name, exact: true }).click();
  }

  /** `unsent`: confirms that unsent messages are deleted. */
  async signOut({ unsent = false } = {}): Promise<void> {
    // A new account may still be on its way into its first room, whose composer closes the menu.
    for (let tries = 0; tries < 5 && !(await this.button('Sign out').isVisible()); tries++) {
      await this.me.click();
      await this.page.waitForTimeout(200);
    }
    await this.button('Sign out').click();
    if (unsent) await this.page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
    await this.isOutside();
  }

  /** The list is fetched again whenever the window gets the focus. */
  async refreshRooms(): Promise<void> {
    await this.page.evaluate(() => window.dispatchEvent(new Event('focus')));
  }

  // Room

  /** The room is open and connected. */
  async isIn(room: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: room, exact: true }).waitFor();
    await this.connection('open').waitFor();
    await this.page.locator('[role=log][aria-busy=false]').waitFor();
  }

  get onlineCount(): Locator {
    return this.page.getByTestId('online-count');
  }

  connection(status: 'open' | 'connecting' | 'waiting' | 'closed'): Locator {
    return this.page.locator(`[data-testid=connection-state][data-status=${status}]`);
  }

  get banner(): Locator {
    return this.page.getByTestId('connection-banner');
  }

  get log(): Locator {
    return this.page.getByRole('log');
  }

  get messages(): Locator {
    return this.page.getByTestId('message');
  }

  message(content: string): Locator {
    return this.messages.filter({ hasText: content });
  }

  get pending(): Locator {
    return this.page.getByTestId('pending-message');
  }

  notice(text: string): Locator {
    return this.page.getByTestId('notice').filter({ hasText: text });
  }

  get typing(): Locator {
    return this.page.getByTestId('typing');
  }

  get composer(): Locator {
    return this.page.getByLabel('Message', { exact: true });
  }

  get toEnd(): Locator {
    return this.page.getByTestId('to-end');
  }

  /** Turns the wheel over the messages, and waits until they stop moving. */
  async wheel(by: number): Promise<void> {
    await this.log.hover();
    await this.page.mouse.wheel(0, by);
    await this.still();
  }

  /** Waits until the messages have stopped moving. */
  async still(): Promise<void> {
    await this.log.evaluate(async (box) => {
      for (let quiet = 0, top = Number.NaN; quiet < 5; quiet++) {
        await new Promise(requestAnimationFrame);
        if (box.scrollTop !== top) quiet = 0;
        top = box.scrollTop;
      }
    });
  }

  async say(content: string): Promise<void> {
    await this.composer.fill(content);
    await this.composer.press('Enter');
  }

  /** The confirmed messages in the timeline, from top to bottom. */
  async contents(): Promise<string[]> {
    return await this.messages.getByTestId('message-content').allTextContents();
  }

  /** One stored value of this browser. */
  async stored(key: string): Promise<string | null> {
    return await this.page.evaluate((name) => localStorage.getItem(name), key);
  }

  async store(key: string, value: string): Promise<void> {
    await this.page.evaluate(([name, text]) => localStorage.setItem(name, text), [key, value] as const);
  }

  /** The settings of the room, beside it. */
  get roomSettings(): Locator {
    return this.page.getByRole('region', { name: 'Room settings', exact: true });
  }

  /** A row of the list of their parts. */
  roomPart(name: string | RegExp): Locator {
    return this.roomSettings.getByRole('navigation').getByRole('link', { name, exact: true });
  }

  /** Goes to a part of the room's settings, by their list: back to it from another part. */
  async goToRoomPart(name: string | RegExp): Promise<void> {
    await this.showRoomParts();
    await this.roomPart(name).click();
    await this.roomPart('About').waitFor({ state: 'detached' });
  }

  /** Shows the list of the parts of the room's settings. */
  async showRoomParts(): Promise<void> {
    await this.roomSettings.getByRole('heading').first().waitFor();
    if ((await this.roomPart('About').count()) === 0)
      await this.roomSettings.getByRole('button', { name: 'Back', exact: true }).click();
    await this.roomPart('About').waitFor();
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }
}

/** Any page of the origin can write its local storage. The client's page takes its place in the history. */
async function openWith(page: Page, path: string, stored: Record<string, string>): Promise<void> {
  await page.goto('/health');
  await page.evaluate((entries) => {
    for (const [name, value] of Object.entries(entries)) localStorage.setItem(name, value);
  }, stored);
  const isLoaded = page.waitForEvent('load');
  await page.evaluate((to) => location.replace(to), path);
  await isLoaded;
}
