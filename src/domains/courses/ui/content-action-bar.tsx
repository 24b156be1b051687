import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import type { Saving } from './content-use-saving.ts'

/** Always in sight at the bottom of the window: `state` says what is saved, and above the buttons what went wrong. */
export function ContentActionBar({ saving, state }: { saving: Saving; state: string }) {
  const { problem, busy } = saving
  return (
    <div
      data-action-bar
      className="sticky bottom-0 z-20 grid gap-3 border-t bg-paper/95 py-3 backdrop-blur"
    >
      {problem && (
        <Banner
          tone="danger"
          action={
            problem.conflict && (
              <Button variant="secondary" size="sm" onClick={() => saving.setResolving({})}>
                What can I do?
              </Button>
            )
          }
        >
          {problem.message}
        </Banner>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="text-sm text-muted" aria-live="polite">
          {state}
        </p>
        <div className="flex gap-3 max-sm:w-full max-sm:*:flex-1">
          <ButtonLink to="/dashboard" variant="secondary">
            Cancel
          </ButtonLink>
          <Button
            busy={busy === 'save'}
            busyText="Saving..."
            aria-disabled={busy !== null || undefined}
            onClick={() => saving.run('save')}
          >
            Save Changes
          </Button>
        </div>
      </div>
    </div>
  )
}
