import { Banner } from '../../../ui/banner.tsx'

/** What a note says by now, beside what somebody began to make of it earlier: neither is lost unread. */
export function ChangedElsewhere({ text }: { text: string }) {
  return (
    <Banner
      tone="warning"
      title="This note was changed in another tab or on another device since you began to write."
    >
      <p>It says now:</p>
      <blockquote
        // It can be long, and then it has to be scrolled by keyboard, too.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="my-2 max-h-60 overflow-y-auto wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]"
      >
        {text}
      </blockquote>
      <p>Saving puts what you wrote in its place; Cancel leaves it as it is.</p>
    </Banner>
  )
}

/** Of a note that is gone: what somebody began to make of it does not go with it. */
export function DeletedElsewhere() {
  return (
    <Banner
      tone="warning"
      title="This note was deleted in another tab or on another device meanwhile."
    >
      Saving keeps what you wrote as a new note; Cancel drops it.
    </Banner>
  )
}
