import type { ComponentChildren } from 'preact';
import { useToday } from '../../components/today.ts';
import { Button } from '../parts/button.tsx';
import { download } from '../parts/download.ts';
import { TextField } from '../parts/fields.tsx';
import { Form, FormProblem } from '../parts/form.tsx';
import { Empty, Loading } from '../parts/notices.tsx';
import { formatHrefWith, pushRoute, useRouteQuery } from '../route.ts';
import type { ScreenProps } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { useQuery } from '../use-query.ts';
import { nameTouchpoint } from '../inbox/texts.ts';
import { BarTable, DayChart } from './charts.tsx';
import {
  WAITS,
  buildCsv,
  findRangeProblem,
  formatSpan,
  lastDays,
  readRange,
  toReportQuery,
} from './report.ts';
import type { DayRange, Report } from './report.ts';
import { formatNumber } from '../language.ts';
import { words } from './texts.ts';

const PRESETS = [7, 30, 90];

export function ReportsScreen({ session }: ScreenProps) {
  useToday();
  const range = readRange(useRouteQuery());
  const problem = findRangeProblem(range);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const { value, error } = useQuery(problem ? null : 'GET /organizations/{id}/report', {
    path: { id: session.organization.id },
    query: problem ? {} : { ...toReportQuery(range), timeZone },
  });
  const file = `report-${range.from}-${range.until}.csv`;
  return (
    <div class="page reports">
      <header class="head">
        <h1>{words.title}</h1>
        {value ? (
          <Button word={words.csv} press={() => download(file, buildCsv(value), 'text/csv;charset=utf-8')} />
        ) : null}
      </header>
      <RangeForm range={range} error={problem ?? error} />
      {value ? <Figures report={value} /> : problem || error ? null : <Loading />}
    </div>
  );
}

function RangeForm({ range, error }: { range: DayRange; error: Error | undefined }) {
  const setDay = (name: keyof DayRange) => (day: string) => {
    pushRoute(formatHrefWith({ ...range, [name]: day }, 'reports'));
  };
  return (
    <Form class="inline" label={words.range} error={error} submit={() => undefined}>
      <TextField label={words.from} type="date" path="since" value={range.from} set={setDay('from')} />
      <TextField label={words.until} type="date" path="until" value={range.until} set={setDay('until')} />
      <nav class="tabs" aria-label={words.range}>
        {PRESETS.map((days) => {
          const last = lastDays(days);
          const isCurrent = last.from === range.from && last.until === range.until;
          return (
            <a
              key={days}
              href={formatHrefWith({ ...last }, 'reports')}
              aria-current={isCurrent ? 'true' : undefined}
            >
              {words.last(days)}
            </a>
          );
        })}
      </nav>
      <FormProblem />
    </Form>
  );
}

function Figures({ report }: { report: Report }) {
  const { conversations, days, statuses, categories, touchpoints } = report;
  if (conversations === 0) return <Empty>{words.none}</Empty>;
  const named = Object.entries(statuses).map(([status, count]) => ({
    name: TEXTS.statuses[status as keyof typeof TEXTS.statuses],
    conversations: count,
  }));
  const channels = touchpoints.map((one) => ({ ...one, name: nameTouchpoint(one.name) }));
  return (
    <>
      <Card title={words.byDay}>
        <p class="total">{words.began(conversations)}</p>
        <DayChart days={days} />
      </Card>
      <div class="report-columns">
        <Card title={words.times}>
          <Waits times={report.times} />
        </Card>
        <Card title={words.status}>
          <BarTable title={words.status} rows={named} empty="" />
        </Card>
        <Card title={words.category}>
          <BarTable title={words.category} rows={categories} empty={words.noCategory} />
        </Card>
        <Card title={words.channel}>
          <BarTable title={words.channel} rows={channels} empty={words.noChannel} />
        </Card>
        <Card title={words.ratings}>
          <Ratings ratings={report.ratings} />
        </Card>
        <Card title={words.answers}>
          <Answers replies={report.replies} />
        </Card>
        <Card title={words.failures}>
          <Failures failures={report.failures} />
        </Card>
      </div>
      <Card title={words.agents}>
        <Agents agents={report.agents} />
      </Card>
    </>
  );
}

function Card({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Ratings({ ratings: { conversations, average, values } }: Pick<Report, 'ratings'>) {
  if (average === null) return <Empty>{words.noRatings}</Empty>;
  const rows = values.map((one) => ({ ...one, name: words.stars(one.rating) })).reverse();
  return (
    <>
      <p class="total">{words.average(average)}</p>
      <p class="hint">{words.rated(conversations)}</p>
      <BarTable title={words.ratings} rows={rows} empty="" />
    </>
  );
}

function Answers({ replies: { bot, agent, closedWithoutAgent } }: Pick<Report, 'replies'>) {
  if (bot + agent + closedWithoutAgent === 0) return <Empty>{words.noReplies}</Empty>;
  const rows = [
    { name: words.answerers.bot, conversations: bot },
    { name: words.answerers.agent, conversations: agent },
  ];
  return (
    <>
      <BarTable title={words.answers} counted={words.replies} rows={rows} empty="" />
      <p class="hint">{words.closedWithoutAgent(closedWithoutAgent)}</p>
    </>
  );
}

function Failures({ failures: { webhooks, channels, services } }: Pick<Report, 'failures'>) {
  const rows = services.map(({ service, name = words.deletedService, deliveries }) => ({
    ...{ id: service, name, conversations: deliveries },
  }));
  return (
    <>
      {services.length === 0 ? null : <p class="hint">{words.failedOf(webhooks, channels)}</p>}
      <BarTable title={words.failures} counted={words.failures} rows={rows} empty={words.noFailures} />
    </>
  );
}

function Agents({ agents }: Pick<Report, 'agents'>) {
  if (agents.length === 0) return <Empty>{words.noAgents}</Empty>;
  const { agent, taken, replies, firstReply, closing, rating } = words;
  const spans = ({ median, p90 }: Report['times']['close']) =>
    median === null || p90 === null ? words.never : words.medianAnd90(formatSpan(median), formatSpan(p90));
  return (
    <>
      <table class="agents">
        <thead>
          <tr>
            {[agent, taken, replies, firstReply, closing, rating].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {agents.map(({ user, name, conversations, replies: written, times, ratings }) => (
            <tr key={user}>
              <th scope="row">
                <bdi>{name ?? words.nameless}</bdi>
              </th>
              <td data-title={taken}>{formatNumber(conversations)}</td>
              <td data-title={replies}>{formatNumber(written)}</td>
              <td data-title={firstReply}>{spans(times.firstReply)}</td>
              <td data-title={closing}>{spans(times.close)}</td>
              <td data-title={rating}>
                {ratings.average === null ? words.never : formatNumber(ratings.average)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">{words.agentsHint}</p>
    </>
  );
}

function Waits({ times }: Pick<Report, 'times'>) {
  const span = (ms: number | null) => (ms === null ? words.never : formatSpan(ms));
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.wait}</th>
            <th scope="col">{words.median}</th>
            <th scope="col">{words.p90}</th>
            <th scope="col">{words.number}</th>
          </tr>
        </thead>
        <tbody>
          {WAITS.map((wait) => (
            <tr key={wait}>
              <th scope="row">{words.waits[wait]}</th>
              <td>{span(times[wait].median)}</td>
              <td>{span(times[wait].p90)}</td>
              <td>{formatNumber(times[wait].conversations)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">{words.timesHint}</p>
    </>
  );
}
