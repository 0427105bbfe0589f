export type Params = Readonly<Record<string, string>>;

export interface ChannelField {
  name: string;
  type?: 'url' | 'email' | 'password' | 'touchpoint' | 'choice' | 'lines';
  /** The param is stored encrypted, and is in no response. */
  isSecret?: true;
  isOptional?: true;
  /** Absent: it is always shown. */
  isShown?: (values: Params) => boolean;
  initial?: () => string;
}
