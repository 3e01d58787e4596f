/** What a drop or a paste gives. */

/** A folder that was dropped, with the files in it and below it. */
export interface GivenFolder {
  readonly name: string;
  readonly files: readonly File[];
}

/** More files than this of a folder are not looked for: no message has as many. */
const FOLDER_MAX = 200;

export function hasFiles(data: DataTransfer | null): boolean {
  return data?.types.includes('Files') === true;
}

/** Reads what was dropped. To be called within the event. */
export function droppedOf(data: DataTransfer): { files: File[]; folders: Promise<GivenFolder>[] } {
  const files: File[] = [];
  const folders: Promise<GivenFolder>[] = [];
  for (const item of data.items) {
    if (item.kind !== 'file') continue;
    const entry = item.webkitGetAsEntry();
    const file = item.getAsFile();
    if (entry?.isDirectory) folders.push(folderOf(entry as FileSystemDirectoryEntry));
    else if (file !== null) files.push(file);
  }
  return { files, folders };
}

async function folderOf(folder: FileSystemDirectoryEntry): Promise<GivenFolder> {
  const files: File[] = [];
  const due: FileSystemDirectoryEntry[] = [folder];
  for (let next = due.pop(); next !== undefined && files.length < FOLDER_MAX; next = due.pop()) {
    for (const entry of await entriesOf(next)) {
      if (entry.isDirectory) due.push(entry as FileSystemDirectoryEntry);
      else files.push(await fileOf(entry as FileSystemFileEntry));
    }
  }
  // Those that systems put there are nobody's.
  return {
    name: folder.name,
    files: files.filter(({ name }) => !/^(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/.test(name)),
  };
}

async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/**
 * The files of a paste; none where a text is meant. Excel and Word copy a picture of the text along with it. Firefox
 * copies a picture twice, in two types.
 */
export function pastedOf(data: Pick<DataTransfer, 'getData' | 'files'>): File[] {
  const files = [...data.files];
  if (data.getData('text/plain').trim() !== '') return [];
  const isOnePicture =
    files.length > 1 &&
    files.every(({ type, name }) => isPicture(type) && stem(name) === stem(files[0]?.name));
  return isOnePicture ? files.slice(0, 1) : files;
}

function isPicture(type: string): boolean {
  return type.startsWith('image/');
}

function stem(name = ''): string {
  return name.replace(/\.[^.]*$/, '');
}
