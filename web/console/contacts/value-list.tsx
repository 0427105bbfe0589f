import { listValues } from './contact.ts';

/** The values of free-form data with their names. */
export function ValueList({ of: data }: { of: object }) {
  return (
    <dl class="pairs">
      {listValues(data).map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
