import { Bookmark } from 'lucide';
import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { ActionForm } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { refuseField } from '../parts/refusals.ts';
import { formatHrefWith } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { isSameCriteria } from './filters.ts';
import type { Criteria, InboxFilter } from './filters.ts';
import { narrowing as words } from './narrowing-texts.ts';
import { ViewNameField } from './view-name-field.tsx';
import { findByName } from './views.ts';
import type { View, Views } from './views.ts';

interface Props {
  saved: Views;
  list: InboxFilter;
  criteria: Criteria;
}

export function ViewList({ saved, list, criteria }: Props) {
  const { views = [] } = saved;
  const [opened, setOpened] = useState<'rename' | 'remove'>();
  if (views.length === 0) return null;
  const current = views.find((one) => one.list.name === list.name && isSameCriteria(one.criteria, criteria));
  const close = () => setOpened(undefined);
  return (
    <nav class="tabs views" aria-label={words.views}>
      <div class="view-links">
        {views.map((view) => (
          <a
            key={view.id}
            href={formatHrefWith(view.criteria, 'inbox', view.list.name)}
            title={view.name}
            aria-current={view === current ? 'true' : undefined}
          >
            <Icon icon={Bookmark} /> <span class="name">{view.name}</span>
          </a>
        ))}
      </div>
      {current ? (
        <Menu
          label={words.change(current.name)}
          items={[
            { word: words.rename, press: () => setOpened('rename') },
            { word: words.removeView, press: () => setOpened('remove') },
          ]}
        >
          ⋯
        </Menu>
      ) : null}
      {current && opened === 'rename' ? (
        <Dialog title={words.rename} close={close}>
          <RenameForm view={current} saved={saved} close={close} />
        </Dialog>
      ) : null}
      {current && opened === 'remove' ? (
        <Dialog title={words.removeTitle(current.name)} close={close}>
          <ActionForm word={words.removeView} look="danger" submit={() => saved.remove(current).then(close)}>
            <p>{words.removeWhat}</p>
          </ActionForm>
        </Dialog>
      ) : null}
    </nav>
  );
}

interface RenameProps {
  view: View;
  saved: Views;
  close: () => void;
}

function RenameForm({ view, saved, close }: RenameProps) {
  const [name, setName] = useState(view.name);
  const other = findByName(saved.views, name);
  const isTaken = other !== undefined && other.id !== view.id;
  const rename = async () => {
    if (isTaken) throw refuseField('name', words.taken);
    await saved.rename(view, name.trim());
    close();
  };
  return (
    <ActionForm word={TEXTS.save} field="name" submit={rename}>
      <ViewNameField value={name} set={setName} />
    </ActionForm>
  );
}
