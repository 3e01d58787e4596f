/** The commands that a page of the documents tells people to run. */
export interface PageCommand {
  /** The heading above it. */
  section: string;
  /** A whole block, or one command from a sentence. */
  text: string;
}

/** In a sentence: only what is complete enough to be run as it stands. */
const INLINE = /`((?:npm run roomful -- |psql )[^`]+)`/g;

/** The blocks marked `sh` or `cron`, and the commands in sentences, in the order of the page. */
export function commandsOf(page: string): PageCommand[] {
  const commands: PageCommand[] = [];
  let section = '';
  let block: { language: string; lines: string[] } | undefined;
  for (const line of page.split('\n')) {
    const fence = /^\s*```(\w*)$/.exec(line);
    if (fence && block) {
      const { language, lines } = block;
      if (language === 'sh') commands.push({ section, text: lines.join('\n') });
      if (language === 'cron')
        commands.push(...lines.map((text) => ({ section, text: commandOfCron(text) })));
      block = undefined;
    } else if (fence) block = { language: fence[1] ?? '', lines: [] };
    else if (block) block.lines.push(line.trim());
    else if (line.startsWith('#')) section = line.replace(/^#+ /, '');
    else commands.push(...[...line.matchAll(INLINE)].map(([, text = '']) => ({ section, text })));
  }
  return commands;
}

/** After the five fields of the time; in a crontab, `%` is written `\%`. */
function commandOfCron(line: string): string {
  return line.replace(/^(\S+\s+){5}/, '').replaceAll('\\%', '%');
}
