interface ButtonProps {
  word: string;
  press: () => unknown;
  class?: string;
  disabled?: boolean;
  'aria-label'?: string;
  'aria-expanded'?: boolean;
}

export function Button({ word, press, ...button }: ButtonProps) {
  return (
    <button type="button" {...button} onClick={() => void press()}>
      {word}
    </button>
  );
}
