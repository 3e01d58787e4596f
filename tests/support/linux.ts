/** For tests that need /proc: undefined on Linux; elsewhere the reason why they are skipped, which is printed. */
export function whyNoProc(): string | undefined {
  if (process.platform === 'linux') return undefined;
  const reason = 'it needs /proc, which only Linux has';
  console.info(`skipped: ${reason}`);
  return reason;
}
