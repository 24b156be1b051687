import { zodResolver } from '@hookform/resolvers/zod'
import { safe } from '@orpc/client'
import { ArrowLeft } from 'lucide-react'
import { useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { Link, useNavigate, useRevalidator } from 'react-router'
import * as z from 'zod'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { CharacterCount } from '../../../ui/character-count.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.ts'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { client } from '../../../web/api-client.ts'
import { type CourseDashboard, courseUpdate } from '../../courses/schema.ts'
import { refusalProblem } from '../../courses/ui/call-problem.ts'
import { useLeaveGuard } from '../../courses/ui/leave-guard.tsx'
import { defaultQuestions, emptyQuestion, questionLimits } from '../rules.ts'
import { type ApplicationForm, questionList } from '../schema.ts'
import { applicationsAddress } from './applications-tab.ts'
import { QuestionFields, type QuestionValues } from './question-fields.tsx'

const saveFailed = 'Failed to save questions. Please try again.'

const formCheck = z.object({
  applicationInstructions: courseUpdate.shape.applicationInstructions.unwrap(),
  applicationQuestions: questionList(emptyQuestion.inList),
})

type ApplicationFormEditorProps = { course: CourseDashboard; form: ApplicationForm | null }

/** What applicants read and answer, to change. */
export default function ApplicationFormEditor({ course, form }: ApplicationFormEditorProps) {
  const { revalidate, state } = useRevalidator()
  return (
    <div className="grid max-w-[48rem] gap-6">
      <header className="grid gap-2">
        <Link
          to={applicationsAddress(course.slug)}
          className="-ml-1 inline-flex min-h-10 w-fit items-center gap-1.5 rounded-control px-1 text-sm font-semibold text-muted no-underline hover:text-ink"
        >
          <ArrowLeft size={16} aria-hidden />
          Back to Applications
        </Link>
        <h2 className="text-2xl">Application questions</h2>
        <p className="text-pretty text-muted">
          What you change here is asked from now on. Answers that you have keep the question as it
          was asked.
        </p>
      </header>
      {form ? (
        <Editor course={course} stored={form} />
      ) : (
        <ErrorState
          level={3}
          title="Failed to load application questions. Please try again later."
          onRetry={() => void revalidate()}
          retrying={state === 'loading'}
        />
      )}
    </div>
  )
}

function Editor({ course, stored }: { course: CourseDashboard; stored: ApplicationForm }) {
  const navigate = useNavigate()
  const hydrated = useHydrated()
  const form = useForm({
    resolver: zodResolver(formCheck),
    defaultValues: {
      applicationInstructions: stored.instructions,
      applicationQuestions: stored.questions.length > 0 ? stored.questions : defaultQuestions,
    },
  })
  const { control, register, handleSubmit, setError, formState } = form
  const { errors, isSubmitting, isDirty, dirtyFields } = formState
  const guard = useLeaveGuard(isDirty, 'What you changed in the questions is not saved yet.')
  const instructions = useWatch({ control, name: 'applicationInstructions' })

  const save = handleSubmit(async ({ applicationInstructions, applicationQuestions }) => {
    // What was not changed here may have been in another tab.
    const areQuestionsKept = !dirtyFields.applicationQuestions && stored.questions.length > 0
    const changes = {
      ...(dirtyFields.applicationInstructions && { applicationInstructions }),
      ...(!areQuestionsKept && { applicationQuestions }),
    }
    if (Object.keys(changes).length === 0) {
      await navigate(applicationsAddress(course.slug))
      return
    }
    // In one call, so that nobody meets new questions under old instructions.
    const [error] = await safe(client.courses.updateCourse({ courseId: course.id, ...changes }))
    if (error) return setError('root', { message: refusalProblem(error, saveFailed) })
    guard.release()
    void toast.success('The questions are saved.')
    await navigate(applicationsAddress(course.slug))
  })

  return (
    <>
      <form onSubmit={(event) => void save(event)} noValidate className="grid gap-6">
        {/* What is typed before the page is hydrated would be lost. */}
        <fieldset disabled={isSubmitting} inert={!hydrated} className="min-w-0">
          <legend className="sr-only">What applicants read and answer</legend>
          <Card className="grid grid-cols-1 gap-6">
            <Field
              label="Application instructions"
              hint="Shown above the questions. If you leave this empty, the previous instructions are kept."
              error={errors.applicationInstructions?.message}
              aside={<CharacterCount value={instructions} max={questionLimits.instructions} />}
            >
              <Textarea {...register('applicationInstructions')} rows={3} />
            </Field>
            <QuestionFields
              // It knows the questions only.
              form={form as unknown as UseFormReturn<QuestionValues>}
              emptyMessage={emptyQuestion.inList}
            />
          </Card>
        </fieldset>
        {errors.root?.message && (
          <Banner tone="danger" title="Not saved">
            {errors.root.message}
          </Banner>
        )}
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <ButtonLink to={applicationsAddress(course.slug)} variant="secondary">
            Cancel
          </ButtonLink>
          <Button type="submit" disabled={!hydrated} busy={isSubmitting} busyText="Saving...">
            Save Questions
          </Button>
        </div>
      </form>
      {/* It has a form of its own. */}
      {guard.dialog}
    </>
  )
}
