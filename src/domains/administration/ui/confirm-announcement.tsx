import { Form, useNavigation } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { NoticeItem } from '../../notifications/ui/notice-item.tsx'
import { announceToWords, audienceWords } from '../announcement-rules.ts'
import type { NewAnnouncement } from '../announcement-schema.ts'
import { TextLink } from './text-link.tsx'

/** What was shown changes under the keyboard and the screen reader, which go on here. */
const focusOn = (heading: HTMLHeadingElement | null) => heading?.focus()

type ConfirmAnnouncementProps = { announcement: NewAnnouncement; people: number; asOf: string }

/** The second step: how people will see it, how many they are, and the button that tells them. */
export function ConfirmAnnouncement({ announcement, people, asOf }: ConfirmAnnouncementProps) {
  const { title, message, href, audience } = announcement
  const { formMethod, formData } = useNavigation()
  const sending = formMethod === 'POST' ? formData?.get('intent') : null
  const notice = {
    id: announcement.announcementId,
    title,
    message,
    type: 'info' as const,
    // Not to be followed by accident, which would lose what was written.
    href: null,
    read: false,
    createdAt: asOf,
  }
  return (
    <section aria-labelledby="confirm-heading" className="grid grid-cols-1 gap-5">
      <h2 id="confirm-heading" ref={focusOn} tabIndex={-1} className="text-xl outline-none">
        How people will see it
      </h2>
      <Card as="ul" padding="none" aria-label="Preview">
        <NoticeItem notice={notice} now={new Date(asOf)}>
          {null}
        </NoticeItem>
      </Card>
      <dl className="grid gap-2 text-sm">
        <div className="flex flex-wrap gap-x-2">
          <dt className="text-muted">Who is told:</dt>
          <dd>{audienceWords[audience]}</dd>
        </div>
        <div className="flex flex-wrap gap-x-2">
          <dt className="text-muted">It leads to:</dt>
          <dd className="min-w-0 wrap-anywhere">
            {href ? (
              <TextLink to={href} target="_blank">
                {href}
                <span className="sr-only"> (opens in a new tab)</span>
              </TextLink>
            ) : (
              'no page'
            )}
          </dd>
        </div>
      </dl>
      {people === 0 ? (
        <Banner tone="warning">
          Nobody would be told: this audience has no people who want to know.
        </Banner>
      ) : (
        <p className="text-muted">
          Those who turned “News and announcements” off are not counted. It cannot be taken back.
        </p>
      )}
      <Form method="post" replace className="flex flex-wrap gap-3">
        {Object.entries(announcement).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {people > 0 && (
          <Button
            type="submit"
            name="intent"
            value="announce"
            busy={sending === 'announce'}
            busyText="Announcing..."
          >
            {announceToWords(people)}
          </Button>
        )}
        <Button
          type="submit"
          name="intent"
          value="change"
          variant="secondary"
          busy={sending === 'change'}
        >
          Change it
        </Button>
      </Form>
    </section>
  )
}
