import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import type { ComposerDraft } from './composer-draft.ts'

type DraftNoticeProps = {
  draft: ComposerDraft
  /** It is being sent. */
  busy: boolean
  /** Its buttons are gone, and the focus with them. */
  onDone: () => void
}

/** Says of an edited post which is in its field, the post or an earlier draft of it, and leads to the other one. */
export function DraftNotice({ draft, busy, onDone }: DraftNoticeProps) {
  const after = (act: () => void) => () => {
    act()
    onDone()
  }
  return (
    <>
      {draft.isRestored && (
        <Banner
          action={
            <Button variant="secondary" size="sm" disabled={busy} onClick={after(draft.showPost)}>
              Show the Post
            </Button>
          }
        >
          These are your changes from earlier. They are not saved yet.
        </Banner>
      )}
      {draft.isOffered && (
        <Banner
          action={
            <>
              <Button
                variant="ghost"
                size="sm"
                disabled={busy}
                onClick={after(draft.discardEarlier)}
              >
                Discard
              </Button>
              <Button
                variant="secondary"
                size="sm"
                disabled={busy}
                onClick={after(draft.restoreEarlier)}
              >
                Restore
              </Button>
            </>
          }
        >
          You have {draft.isRestored && 'other '}unsaved changes from earlier.
          {draft.isBehind &&
            ' The post was changed since: Restore shows your text, and Save puts it in the place of the post.'}
        </Banner>
      )}
    </>
  )
}
