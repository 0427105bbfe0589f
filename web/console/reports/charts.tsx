import { Empty } from '../parts/notices.tsx';
import type { Report } from './report.ts';
import { LOCALE, formatNumber } from '../language.ts';
import { words } from './texts.ts';

const HEIGHT = 100;
const STEP = 10;
const GAP = 2;
const LONG = { day: 'numeric', month: 'short', year: 'numeric' } as const;

/** A bar for each day, and the same figures as a table. */
export function DayChart({ days }: Pick<Report, 'days'>) {
  const [first] = days;
  const last = days.at(-1);
  const highest = days.reduce(
    (most, one) => (one.conversations > most.conversations ? one : most),
    days[0] ?? NO_DAY,
  );
  const most = Math.max(1, highest.conversations);
  return (
    <>
      <figure class="day-chart">
        <span class="scale" aria-hidden="true">
          {formatNumber(most)}
        </span>
        <svg
          role="img"
          aria-label={words.chart(highest.conversations, formatDate(highest.day))}
          viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          {days.map(({ day, conversations }, at) => (
            <rect
              key={day}
              x={at * STEP + GAP / 2}
              y={HEIGHT - (conversations / most) * HEIGHT}
              width={STEP - GAP}
              height={(conversations / most) * HEIGHT}
            >
              <title>{`${formatDate(day)}: ${formatNumber(conversations)}`}</title>
            </rect>
          ))}
        </svg>
        <figcaption>
          <span>{formatDate(first?.day)}</span>
          <span>{formatDate(last?.day)}</span>
        </figcaption>
      </figure>
      <details>
        <summary>{words.asTable}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.day}</th>
              <th scope="col">{words.conversations}</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, conversations }) => (
              <tr key={day}>
                <th scope="row">{formatDate(day)}</th>
                <td>{formatNumber(conversations)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

const NO_DAY = { day: '', conversations: 0 };

function formatDate(day = ''): string {
  return day === '' ? '' : new Date(`${day}T00:00`).toLocaleDateString(LOCALE, LONG);
}

interface BarTableProps {
  title: string;
  /** `id`: if names may repeat. */
  rows: readonly { id?: string; name: string; conversations: number }[];
  empty: string;
  counted?: string;
}

/** A table whose figures have bars. */
export function BarTable({ title, rows, empty, counted = words.conversations }: BarTableProps) {
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  const most = Math.max(1, ...rows.map(({ conversations }) => conversations));
  return (
    <table class="bars">
      <thead class="hidden">
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">{counted}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, id = name, conversations }) => (
          <tr key={id}>
            <th scope="row">
              <bdi>{name}</bdi>
            </th>
            <td>
              <span class="figure">{formatNumber(conversations)}</span>
              <span class="bar" style={{ width: `${(conversations / most) * 100}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
