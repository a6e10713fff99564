// The ways a log gets in: a file dropped or chosen, lines pasted.

import { byId } from './dom.js';

/** Calls `take(blob, name)` with what the reader brings. */
export function intake(take) {
  const input = byId('file');
  input.addEventListener('change', () => {
    if (input.files[0]) take(input.files[0], input.files[0].name);
    // The same file again is a change too.
    input.value = '';
  });

  let depth = 0;
  const curtain = () => document.body.classList.toggle('dropping', depth > 0);
  addEventListener('dragenter', () => {
    depth += 1;
    curtain();
  });
  addEventListener('dragleave', () => {
    depth = Math.max(0, depth - 1);
    curtain();
  });
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    depth = 0;
    curtain();
    takeFrom(event.dataTransfer, take);
  });
  addEventListener('paste', (event) => {
    if (event.target.closest?.('input')) return;
    takeFrom(event.clipboardData, take);
  });
}

function takeFrom(data, take) {
  const [file] = data?.files ?? [];
  if (file) take(file, file.name);
  else if (data?.getData('text')) take(new Blob([data.getData('text')]), 'pasted lines');
}

export const chooseFile = () => byId('file').click();
