import { Actions } from './actions.tsx';
import { fileName, linkTarget, webUrl } from './html.ts';
import { hasVisibleText, stripDirection } from './shown-text.ts';
import { OnRequest, Picture } from './picture.tsx';
import { TEXTS } from './texts.ts';
import type { Action, Item } from './types.ts';

/** The items of a card or list (spec 6.2), one beside the other where there is room. */
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
