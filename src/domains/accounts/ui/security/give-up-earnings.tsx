import { Link } from 'react-router'

type GiveUpEarningsProps = { amount: string; isSuspended: boolean; chosen: boolean }

/** For who has earned money that cannot be sent: how to get it, or that it is given up. Nothing is chosen. */
export function GiveUpEarnings({ amount, isSuspended, chosen }: GiveUpEarningsProps) {
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-semibold">What should happen to the {amount} you earned?</legend>
      <p className="text-pretty text-muted">
        They were not paid out yet.{' '}
        {isSuspended ? (
          'While your account is suspended nothing can be set up to send them: wait until that is over, or give them up.'
        ) : (
          <>
            <Link to="/payments" className="font-medium text-primary underline">
              Set up how you are paid
            </Link>{' '}
            first, and they are sent to you, also after you have left.
          </>
        )}
      </p>
      <input type="hidden" name="earningsGivenUp" value={amount} />
      <label
        className={
          'grid cursor-pointer grid-cols-[auto_1fr] items-center gap-x-3 rounded-card border ' +
          'border-edge/50 p-4 hover:border-edge has-checked:border-primary ' +
          'has-checked:bg-primary-soft has-focus-visible:outline-2 ' +
          'has-focus-visible:outline-offset-2 has-focus-visible:outline-primary'
        }
      >
        <input
          type="checkbox"
          name="giveUpEarnings"
          defaultChecked={chosen}
          className="size-4.5 accent-primary outline-none"
        />
        <span className="font-semibold">I give up the {amount} that I earned</span>
      </label>
    </fieldset>
  )
}
