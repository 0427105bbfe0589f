import { useState } from 'preact/hooks';
import type { JSX } from 'preact';

interface Props {
  url: string;
  alt: string;
  /** What is shown in place of a picture that does not come. */
  missing: JSX.Element;
  class?: string;
}

/** A picture from elsewhere. Give its address as its key: another one gets its own chance. */
export function Picture({ url, alt, missing, class: name }: Props) {
  const [isMissing, setMissing] = useState(false);
  if (isMissing) return missing;
  return <img class={name} src={url} alt={alt} loading="lazy" onError={() => setMissing(true)} />;
}
