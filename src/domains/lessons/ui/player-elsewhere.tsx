import { MonitorSmartphone } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import type { Interruption } from './use-stream.ts'

type PlayerElsewhereProps = {
  /** On how many devices an account may play at once; null where nobody counts. */
  limit: number | null
  interruption: Interruption
  busy: boolean
  problem: string | null
  /** Plays here; in place of another stream, when one is named. */
  onPlayHere: (insteadOf?: string) => void
}

const clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

const most = (limit: number) =>
  limit === 1 ? 'One device at once is the most.' : `${inWords(limit)} devices at once is the most.`

const inWords = (count: number) => ['Two', 'Three', 'Four', 'Five'][count - 2] ?? String(count)

/** Over the picture: the account plays on other devices, and what one can do about it. */
export function PlayerElsewhere({
  limit,
  interruption,
  busy,
  problem,
  onPlayHere,
}: PlayerElsewhereProps) {
  return (
    <div
      role="alert"
      className="absolute inset-0 grid overflow-y-auto bg-[black] p-3 @md:p-6 @md:text-center"
    >
      <div className="m-auto grid max-w-xl gap-2 @md:justify-items-center @md:gap-4">
        <MonitorSmartphone size={32} aria-hidden className="hidden text-muted @md:block" />
        {interruption.why === 'ended' ? (
          <>
            <p className="font-display text-base font-bold @md:text-xl">
              You went on watching on another device
            </p>
            <Button
              size="sm"
              busy={busy}
              className="w-fit"
              onClick={() => onPlayHere(interruption.endedBy)}
            >
              Continue here
            </Button>
          </>
        ) : (
          <>
            <p className="font-display text-base font-bold @md:text-xl">
              {interruption.streams.length === 1
                ? 'You are watching on another device'
                : `You are watching on ${interruption.streams.length} other devices`}
            </p>
            <p className="text-sm text-pretty text-muted @max-xs:sr-only">
              {limit !== null && `${most(limit)} `}
              <span className="max-sm:sr-only">A device that stopped is free after a minute.</span>
            </p>
            <ul className="grid gap-1.5 @md:gap-2">
              {interruption.streams.map(({ id, device, since }) => (
                <li
                  key={id}
                  className="flex items-center justify-between gap-x-4 text-left text-sm"
                >
                  <span className="min-w-0">
                    {device}{' '}
                    <span className="text-muted @max-md:block">
                      since {clock.format(new Date(since))}
                    </span>
                  </span>
                  <Button
                    size="sm"
                    variant="secondary"
                    // Disabled, it would lose the focus to the top of the page.
                    aria-disabled={busy || undefined}
                    onClick={() => busy || onPlayHere(id)}
                  >
                    <span>
                      Watch here<span className="@max-md:sr-only"> instead</span>
                      <span className="sr-only"> of {device}</span>
                    </span>
                  </Button>
                </li>
              ))}
            </ul>
          </>
        )}
        {problem && <p className="text-sm">{problem}</p>}
      </div>
    </div>
  )
}
