import { useRef } from 'preact/hooks';
import { fileName, linkTarget, webUrl, linkUrl } from './html.ts';
import { hasVisibleText, stripDirection } from './shown-text.ts';
import { OnRequest, Picture } from './picture.tsx';
import { TEXTS } from './texts.ts';
import type { Action, Item } from './types.ts';
import { PlaceIcon } from './icons.tsx';
import { namesOtherHost, readHost } from './links.ts';

export function Items({ items, press }: { items: readonly Item[]; press: (action: Action) => void }) {
  if (items.length === 0) return null;
  return (
    <ul class="items">
      {items.map((item, at) => (
        <li key={at} class={`item ${item.size ?? 'compact'}`}>
          <Media item={item} />
          <div>
            {hasVisibleText(item.title) ? <strong>{stripDirection(item.title)}</strong> : null}
            {item.description && hasVisibleText(item.description) ? (
              <p>{stripDirection(item.description)}</p>
            ) : null}
          </div>
          <Actions actions={item.actions ?? []} press={press} />
        </li>
      ))}
    </ul>
  );
}

function Media({ item: { mediaUrl, mediaType = 'image/' } }: { item: Item }) {
  const url = webUrl(mediaUrl);
  if (url === null || !mediaType.startsWith('image/')) return null;
  const missing = (
    <a class="missing" href={url} {...linkTarget(url)}>
      {TEXTS.pictureMissing(fileName(url))}
    </a>
  );
  return (
    <OnRequest key={url} url={url}>
      <Picture url={url} alt="" missing={missing} />
    </OnRequest>
  );
}

/**
 * Buttons of a message or item (spec 6.2). A link or webview with an unsafe target becomes text.
 */
export function Actions({ actions, press }: { actions: readonly Action[]; press: (action: Action) => void }) {
  if (actions.length === 0) return null;
  return (
    <ul class="actions">
      {actions.map((action, at) => (
        <li key={at}>
          <Button action={action} press={press} />
        </li>
      ))}
    </ul>
  );
}

/** A second press so soon belongs to a double click. */
const REPEAT_MS = 500;

function Button({ action, press }: { action: Action; press: (action: Action) => void }) {
  const { type } = action;
  const text = getLabel(action);
  const pressedAt = useRef(-Infinity);
  if (type === 'link') {
    const href = linkUrl(action.uri);
    if (href === null) return <span class="action dead">{text}</span>;
    return (
      <a class="action" href={href} title={readHost(href)} {...linkTarget(href)}>
        <bdi>{text}</bdi>
        {namesOtherHost(text, href) ? ` (${readHost(href)})` : null}
      </a>
    );
  }
  if (type === 'webview' && webUrl(action.uri) === null) return <span class="action dead">{text}</span>;
  const pressOnce = ({ timeStamp }: MouseEvent) => {
    const isRepeated = timeStamp - pressedAt.current < REPEAT_MS;
    pressedAt.current = timeStamp;
    if (!isRepeated) press(action);
  };
  const icon = type === 'reply' ? webUrl(action.iconUrl) : null;
  return (
    <button type="button" class="action" onClick={pressOnce}>
      {icon === null ? null : <Picture key={icon} url={icon} alt="" missing={<></>} />}
      {type === 'locationRequest' ? <PlaceIcon /> : null}
      <bdi>{text}</bdi>
    </button>
  );
}

function getLabel({ text, uri }: Action): string {
  if (hasVisibleText(text)) return stripDirection(text);
  const href = linkUrl(uri);
  return href === null ? '…' : readHost(href);
}
