import type { ChallengePage } from '../schema.ts'
import { EntryName } from './winner-line.tsx'

/** All that is published so that anybody can draw again, as far as it is known by now. */
export function DrawFacts({ challenge, address }: { challenge: ChallengePage; address: string }) {
  const { phase, seedHash, seed, entriesHash, entries, winner } = challenge
  const never = phase === 'canceled' ? 'Never published: it was canceled' : null
  return (
    <section aria-labelledby="draw" className="grid grid-cols-1 gap-5 border-t pt-10">
      <h2 id="draw" className="text-2xl">
        How the winner is drawn
      </h2>
      <ol className="grid max-w-[44rem] list-decimal gap-2 pl-5 text-muted marker:font-semibold">
        <li>
          A secret seed of 32 random bytes was made with the challenge. Its SHA-256 hash is
          published before anybody enters, so that it cannot be changed later.
        </li>
        <li>
          When the challenge closes, the entries are frozen in a numbered list, and the hash of the
          list is published.
        </li>
        <li>
          HMAC-SHA256 of the list’s hash, with the seed as its key, is read as a number. Its
          remainder after dividing by the number of entries gives the winner. Numbers that would
          favor some entries are discarded and drawn again.
        </li>
        <li>After the draw the seed is published, so that anybody can repeat the draw.</li>
      </ol>
      <dl className="grid grid-cols-1 gap-4">
        <Hash name="Hash of the seed (SHA-256)" value={seedHash} />
        <Hash
          name="Hash of the frozen list (SHA-256)"
          value={entriesHash}
          until={never ?? 'Published when the challenge closes'}
        />
        <Hash name="Seed" value={seed} until={never ?? 'Published after the draw'} />
      </dl>
      {entries.length > 0 && (
        <>
          <h3 className="text-xl">The frozen list</h3>
          <ol aria-label="Entries" className="grid grid-cols-1 gap-2">
            {entries.map((entry) => (
              <li key={entry.id} className="flex flex-wrap gap-x-3 gap-y-0.5">
                <span className="min-w-8 font-semibold tabular-nums">{entry.number}.</span>
                <span className="min-w-0 flex-1 basis-64">
                  <EntryName entry={entry} />
                  {entry.number === winner?.number && (
                    <span className="ml-2 font-semibold text-success">Winner</span>
                  )}
                  <span className="block font-mono text-sm wrap-anywhere text-muted">
                    {entry.id}
                  </span>
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
      {entriesHash !== null && (
        <div className="grid grid-cols-1 gap-2">
          <p className="text-muted">
            {seed ? 'Draw again' : 'Check the list'} with a script of our source, from{' '}
            <a href={address} className="text-primary underline">
              what is published
            </a>
            :
          </p>
          <pre className="rounded-control border bg-wash p-4 font-mono text-sm wrap-anywhere whitespace-pre-wrap">
            node scripts/verify-draw.mjs {address}
          </pre>
        </div>
      )}
    </section>
  )
}

/** `until` stands for what is not published. */
function Hash({ name, value, until }: { name: string; value: string | null; until?: string }) {
  return (
    <div className="grid gap-0.5">
      <dt className="text-sm font-semibold text-muted">{name}</dt>
      {value === null ? (
        <dd className="text-sm text-muted">{until}</dd>
      ) : (
        <dd className="font-mono text-sm wrap-anywhere">{value}</dd>
      )}
    </div>
  )
}
