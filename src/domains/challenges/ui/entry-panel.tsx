import { Form, useNavigation } from 'react-router'
import { Badge } from '../../../ui/badge.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { UpgradeButton } from '../../billing/ui/upgrade-link.tsx'
import { withoutLightning } from '../../courses/rules.ts'
import type { FormAnswer } from '../../support/ui/form-answer.ts'
import { challengePath, type Phase } from '../rules.ts'
import type { MyEntry } from '../schema.ts'

type EntryPanelProps = {
  slug: string
  phase: Phase
  /** Null for who is not signed in. */
  mine: MyEntry | null
  isCreator: boolean
  answer: FormAnswer | undefined
}

/** Where a creator on Pro enters a course; to a creator without Pro what that would be. */
export function EntryPanel({ slug, phase, mine, isCreator, answer }: EntryPanelProps) {
  if (phase !== 'open') return mine?.entry ? <Taking part={mine.entry} /> : null
  if (!mine) {
    return (
      <div>
        <ButtonLink to={`/login?to=${encodeURIComponent(challengePath(slug))}`}>
          Log in to enter
        </ButtonLink>
      </div>
    )
  }
  if (mine.plan === 'free') {
    // What was entered with Pro can be withdrawn without it; learners have nothing to enter.
    if (mine.entry) return <Entered slug={slug} mine={mine} answer={answer} />
    return isCreator ? <WithPro /> : null
  }
  return <Entered slug={slug} mine={mine} answer={answer} />
}

function Taking({ part }: { part: NonNullable<MyEntry['entry']> }) {
  return <Banner tone="info">You entered “{titleOf(part.courseTitle)}”.</Banner>
}

const titleOf = (title: string | null) =>
  title === null ? 'a course that is gone' : withoutLightning(title)

function WithPro() {
  return (
    <Card as="section" aria-labelledby="enter" className="grid gap-3">
      <Badge tone="spark">PRO</Badge>
      <h2 id="enter" className="text-xl">
        Enter a course, with Pro
      </h2>
      <p className="text-muted">
        Creators on Pro enter one of their published courses here and take part in the draw.
      </p>
      <div>
        <UpgradeButton />
      </div>
    </Card>
  )
}

function Entered({
  slug,
  mine,
  answer,
}: Pick<EntryPanelProps, 'slug' | 'answer'> & { mine: MyEntry }) {
  const { entry, courses, plan } = mine
  const intent = useNavigation().formData?.get('intent')
  return (
    <Card as="section" aria-labelledby="enter" className="grid gap-5">
      <h2 id="enter" className="text-xl">
        {entry ? "You're in" : 'Enter a course'}
      </h2>
      {answer && <Banner tone="danger">{answer.problem}</Banner>}
      {entry && (
        <div className="flex flex-wrap items-center justify-between gap-4">
          <p className="wrap-anywhere">
            Your entry: <span className="font-semibold">{titleOf(entry.courseTitle)}</span>
          </p>
          <Form method="post" action={challengePath(slug)} replace preventScrollReset>
            <input type="hidden" name="intent" value="withdraw" />
            <Button type="submit" variant="secondary" busy={intent === 'withdraw'}>
              Withdraw entry
            </Button>
          </Form>
        </div>
      )}
      {entry && !entry.isPublished && (
        <Banner tone="warning">
          {entry.courseId === null
            ? 'This course is gone, so the entry does not count.'
            : 'This course is not published. The entry counts only if it is at the end.'}
        </Banner>
      )}
      {plan === 'free' ? (
        <Banner tone="warning">
          You are not on Pro any more. The entry counts only if you are at the end.
        </Banner>
      ) : courses.length === 0 ? (
        !entry && (
          <p className="text-muted">
            You have no published course yet. Publish one, then enter it here.
          </p>
        )
      ) : (
        <Form
          method="post"
          action={challengePath(slug)}
          replace
          preventScrollReset
          className="flex flex-wrap items-end gap-3"
        >
          <input type="hidden" name="intent" value="enter" />
          <Field label="Your course" className="min-w-0 flex-1 basis-64">
            <Select
              name="courseId"
              key={entry?.courseId}
              defaultValue={entry?.courseId ?? undefined}
            >
              {courses.map(({ id, title }) => (
                <option key={id} value={id}>
                  {withoutLightning(title)}
                </option>
              ))}
            </Select>
          </Field>
          <Button type="submit" variant={entry ? 'secondary' : 'primary'} busy={intent === 'enter'}>
            {entry ? 'Change course' : 'Enter'}
          </Button>
        </Form>
      )}
    </Card>
  )
}
