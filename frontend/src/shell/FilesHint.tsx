import { useEffect } from 'react';
import { useScreenTexts } from '../i18n/screens.ts';
import { showToast } from '../stores/toasts.ts';

/** Files cannot be sent yet. A toast says so when one is pasted or dropped, and what to do meanwhile. */
export function FilesHint() {
  const { files } = useScreenTexts();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const hint = () => showToast(files.notYet);
    // A drop that nobody takes would replace the page with the file.
    const onDrag = (event: DragEvent) => {
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      if (event.type === 'drop') hint();
    };
    window.addEventListener('dragover', onDrag, { signal });
    window.addEventListener('drop', onDrag, { signal });
    window.addEventListener(
      'paste',
      ({ clipboardData }) => {
        // Some programs copy a picture of a text along with it. The text is pasted.
        if (hasFiles(clipboardData) && clipboardData?.getData('text/plain') === '') hint();
      },
      { signal },
    );
    return () => controller.abort();
  }, [files]);
  return null;
}

function hasFiles(data: DataTransfer | null): boolean {
  return data?.types.includes('Files') === true;
}
