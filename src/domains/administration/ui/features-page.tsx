import { ToggleRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Form } from 'react-router'
import type { Route } from './+types/features-page'
import { Badge } from '../../../ui/badge.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Field, Input, Textarea } from '../../../ui/field.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { afterRefusal } from '../../../web/after-refusal.ts'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { CaseTime } from '../../moderation/ui/case-time.tsx'
import { useNow } from '../../notifications/ui/use-now.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import type { Feature } from '../feature-schema.ts'
import { type FeatureName, offSentence } from '../features.ts'
import { limits } from '../rules.ts'
import { answered, orUnreached, type Refusal, refusalOf } from './admin-answer.ts'
import { AnswerBanner } from './answer-banner.tsx'
import { FactList } from './fact-list.tsx'
import { useBusy } from './suspend-form.tsx'
import { TextLink } from './text-link.tsx'

const here = '/admin/features'

export const meta = () => pageMeta('Features', 'What can be switched off in an emergency.')

export async function loader({ context }: Route.LoaderArgs) {
  const { features } = await context.get(pageApi).administration.getFeatures()
  return { features, now: new Date().toISOString() }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const text = (name: string) => String(form.get(name) ?? '')
  const off = text('to') === 'off'
  const call = context.get(formApi).administration.switchFeature({
    // What no switch is called is refused there.
    name: text('intent') as FeatureName,
    off,
    reason: text('reason'),
    notice: text('notice'),
  })
  return answered(call, {
    intent: text('intent'),
    form,
    here,
    done: off ? 'It is switched off, everywhere.' : 'It is switched on again.',
  })
}

export const clientAction = async ({ request, serverAction }: Route.ClientActionArgs) => {
  const intent = String((await formDataOf(request.clone())).get('intent'))
  return serverAction().catch(orUnreached(intent))
}

/** For an emergency: abuse, trouble at a provider, a disk that is full. */
/** Another administrator may have done it, or an earlier try whose answer was lost. */
export const shouldRevalidate = afterRefusal

export default function FeaturesPage({ loaderData, actionData }: Route.ComponentProps) {
  const { features } = loaderData
  const now = useNow(loaderData.now)
  const isShownThere = features.some(({ name }) => refusalOf(actionData, name))
  return (
    <div className="grid grid-cols-1 gap-8">
      <PageHeader
        title="Features"
        description="What can be switched off in an emergency, for everybody, and on again."
      />
      {!isShownThere && <AnswerBanner answer={actionData} />}
      {features.map((feature) => (
        <FeatureCard
          // Another state is another form, with nothing typed into it.
          key={`${feature.name} ${feature.since}`}
          feature={feature}
          now={now}
          refusal={refusalOf(actionData, feature.name)}
        />
      ))}
    </div>
  )
}

type FeatureProps = { feature: Feature; now: Date; refusal?: Refusal }

function FeatureCard({ feature, now, refusal }: FeatureProps) {
  const { name, label, isOff, isClosedByConfiguration } = feature
  return (
    <Card as="section" aria-labelledby={name} className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id={name} className="text-xl">
          {label}
        </h2>
        <div className="flex flex-wrap gap-2">
          {isClosedByConfiguration && <Badge tone="warning">Closed by the configuration</Badge>}
          {isOff ? <Badge tone="danger">Off</Badge> : <Badge tone="success">On</Badge>}
        </div>
      </div>
      <FactList
        facts={[
          [isOff ? 'Stopped' : 'Stops when off', feature.stops],
          ['Goes on', feature.goesOn],
          ...(isOff ? factsOfOff(feature, now) : []),
        ]}
      />
      <details open={refusal !== undefined}>
        <summary
          className={`${buttonClass({ variant: 'secondary', size: 'sm' })} w-fit list-none [&::-webkit-details-marker]:hidden`}
        >
          {isOff ? 'Switch on…' : 'Switch off…'}
        </summary>
        <SwitchForm feature={feature} refusal={refusal} />
      </details>
    </Card>
  )
}

const factsOfOff = (
  { name, since, by, reason, notice }: Feature,
  now: Date,
): [string, ReactNode][] => [
  [
    'Switched off by',
    <span key="by">
      {by ? (
        <TextLink to={`/admin/people/${by.id}`}>{by.name}</TextLink>
      ) : reason === null ? (
        'a restore of a backup, or a statement in the database'
      ) : (
        'an account that was deleted'
      )}
      {since && (
        <>
          {' · '}
          <CaseTime at={since} now={now} />
        </>
      )}
    </span>,
  ],
  ...(reason === null
    ? []
    : [
        [
          'Reason',
          <span key="reason" className="whitespace-pre-line">
            {reason}
          </span>,
        ] satisfies [string, ReactNode],
      ]),
  ['People read', offSentence(name, notice)],
]

function SwitchForm({ feature, refusal }: Omit<FeatureProps, 'now'>) {
  const { name, label, isOff } = feature
  const busy = useBusy(name)
  return (
    <Form method="post" replace preventScrollReset noValidate className="mt-4 grid gap-4">
      <input type="hidden" name="intent" value={name} />
      <input type="hidden" name="to" value={isOff ? 'on' : 'off'} />
      <Field
        label="Reason"
        hint="For administrators: it stays in the audit log."
        error={refusal?.problem}
        required
      >
        <Textarea
          name="reason"
          rows={2}
          maxLength={limits.reason}
          defaultValue={refusal?.typed.reason}
        />
      </Field>
      {!isOff && (
        <Field
          label="A sentence for people"
          hint={`They read “${offSentence(name)}” and then this.`}
          optional
        >
          <Input
            name="notice"
            maxLength={limits.notice}
            autoComplete="off"
            defaultValue={refusal?.typed.notice}
          />
        </Field>
      )}
      <Button
        type="submit"
        variant={isOff ? 'primary' : 'danger'}
        className="justify-self-start"
        busy={busy}
        busyText={isOff ? 'Switching on...' : 'Switching off...'}
      >
        {isOff ? `Switch on: ${label}` : `Switch off: ${label}`}
      </Button>
    </Form>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={ToggleRight}
      notFound="Page not found"
      description="There is nothing at this address."
      back={{ to: '/admin', label: 'Administration' }}
      failed="Could not load the features"
    />
  )
}
