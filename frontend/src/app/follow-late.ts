/** Follows what the first paint can do without. Returns the function that ends that. */
export function followLate(): () => void {
  let isOver = false;
  let end = () => {};
  import('./late.ts').then(
    ({ follow }) => {
      if (!isOver) end = follow();
    },
    () => {},
  );
  return () => {
    isOver = true;
    end();
  };
}
