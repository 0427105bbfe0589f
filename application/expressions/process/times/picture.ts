export interface PicturePart {
  text: string;
  component?: string;
  presentation?: string;
}

/** Returns parts whose joined texts are the picture. */
export function pictureParts(picture: string): PicturePart[] {
  return (picture.match(/\[\[|\[[^\]]*\]|[^[]+|\[/g) ?? []).map((text) => {
    if (!text.startsWith('[') || !text.endsWith(']')) return { text };
    const [marker = ''] = text.slice(1, -1).replace(/\s/g, '').split(',');
    return { text, component: marker.slice(0, 1), presentation: marker.slice(1) };
  });
}

export function isZone({ component }: PicturePart): boolean {
  return component === 'Z' || component === 'z';
}

/** `toFault` adds the position. */
export function timeError(message: string): Error {
  return Object.assign(new Error(message), { code: 'time' });
}

export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
