import { useLanguage } from '../../i18n/catalogue.ts';
import { fileSize } from '../../i18n/file-size.ts';
import { isolate } from '../../i18n/isolate.ts';
import { screenTexts } from '../../i18n/screens.ts';
import { fileLimits } from '../../stores/file-limits.ts';
import { type FilePlace, useFiles } from '../../stores/files.ts';
import { showToast } from '../../stores/toasts.ts';

/** Uploads files, to be sent with the next message of a composer. What cannot be sent is left out, and a toast says why. */
export function addFiles({ roomId, place }: FilePlace, files: readonly File[]): void {
  const { files: texts } = screenTexts();
  const limits = fileLimits();
  const { uploads, all } = useFiles.getState();
  if (limits === null || uploads === null) return showToast(texts.off);
  let space = limits.files - all.filter((upload) => upload.place === place).length;
  for (const file of files) {
    if (file.size > limits.fileBytes) {
      showToast(texts.tooLarge(isolate(file.name), fileSize(useLanguage.getState().text, limits.fileBytes)));
    } else if (space-- > 0) {
      uploads.add(roomId, place, file);
    } else return showToast(texts.tooMany(limits.files));
  }
}
