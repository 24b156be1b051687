import { safe } from '@orpc/client'
import { data, Form, redirect, useNavigation } from 'react-router'
import type { Route } from './+types/new-challenge-page'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { type FormAnswer, formAnswer, orUnreached } from '../../support/ui/form-answer.ts'
import { adminChallengesPath, savedDraftPath } from '../rules.ts'
import { AdminProblem } from './admin-problem.tsx'
import { ChallengeFields, challengeIn } from './challenge-fields.tsx'

export const meta = () => pageMeta('New challenge', 'A draft that nobody sees yet.')

const here = `${adminChallengesPath}/new`
const failed = 'The draft could not be saved. Please try again.'

/** The page is for administrators, as the list is. */
export async function loader({ context }: Route.LoaderArgs) {
  await context.get(pageApi).challenges.getAllChallenges({})
  return null
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const [error, made] = await safe(
    context.get(formApi).challenges.createChallenge(challengeIn(form)),
  )
  if (error) return data<FormAnswer>(...formAnswer(error, { failed, here, form }))
  throw redirect(savedDraftPath(made.id))
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreached(failed))

export default function NewChallengePage({ actionData }: Route.ComponentProps) {
  const busy = useNavigation().formMethod === 'POST'
  return (
    <div className="grid max-w-[44rem] grid-cols-1 gap-8">
      <PageHeader
        back={{ to: adminChallengesPath, label: 'All challenges' }}
        title="New challenge"
        description="A draft: nobody sees it until you publish it."
      />
      <Form method="post" replace className="grid gap-5" noValidate>
        {actionData && <Banner tone="danger">{actionData.problem}</Banner>}
        <ChallengeFields challenge={null} answer={actionData} />
        <Button type="submit" className="justify-self-start" busy={busy} busyText="Saving...">
          Save draft
        </Button>
      </Form>
    </div>
  )
}

export const ErrorBoundary = AdminProblem
