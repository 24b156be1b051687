import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import type { KeptDraft } from './content-use-local-draft.ts'

type EarlierDraftProps = {
  draft: KeptDraft
  /** What the server has is newer than what was edited then. */
  isBehind: boolean
  /** Something is on its way to the server: what it is answered is about the draft of now. */
  busy: boolean
  onRestore: () => void
  onDiscard: () => void
}

const time = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

/** Offers what an earlier visit left unsaved in this browser. */
export function EarlierDraft({ draft, isBehind, busy, onRestore, onDiscard }: EarlierDraftProps) {
  return (
    <Banner
      title="You have unsaved changes from an earlier visit"
      action={
        <>
          <Button variant="secondary" size="sm" onClick={onDiscard}>
            Discard
          </Button>
          <Button size="sm" aria-disabled={busy || undefined} onClick={onRestore}>
            Restore
          </Button>
        </>
      }
    >
      This browser kept them on {time.format(draft.local.keptAt)}.
      {isBehind &&
        ' The course was saved elsewhere since; Restore puts your changes into its newest version.'}
    </Banner>
  )
}
