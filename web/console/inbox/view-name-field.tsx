import { TextField } from '../parts/fields.tsx';
import { narrowing as words } from './narrowing-texts.ts';
import { MAX_VIEW_NAME } from './views.ts';

interface Props {
  value: string;
  set: (name: string) => void;
  hint?: string;
}

export function ViewNameField(props: Props) {
  return (
    <TextField
      label={words.viewName}
      path="name"
      required
      pattern=".*\S.*"
      maxLength={MAX_VIEW_NAME}
      {...props}
    />
  );
}
