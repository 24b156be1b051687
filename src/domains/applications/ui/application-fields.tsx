import { useFormState, type UseFormReturn, useWatch } from 'react-hook-form'
import { Banner } from '../../../ui/banner.tsx'
import { CharacterCount } from '../../../ui/character-count.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import type { CourseForm } from '../../courses/schema.ts'
import type { CourseFields } from '../../courses/ui/course-form-fields.ts'
import { emptyQuestion, questionLimits } from '../rules.ts'
import { QuestionFields, type QuestionValues } from './question-fields.tsx'

type ApplicationFieldsProps = {
  form: UseFormReturn<CourseFields, unknown, CourseForm>
  /** The saved questions could not be loaded; the default ones stand in for them. */
  questionsMissing: boolean
}

/** Whether people have to apply, and what they read and answer then. */
export function ApplicationFields({ form, questionsMissing }: ApplicationFieldsProps) {
  const { control, register } = form
  const { errors } = useFormState({ control })
  const isRequired = useWatch({ control, name: 'applicationRequired' })
  const instructions = useWatch({ control, name: 'applicationInstructions' })

  return (
    <>
      <Checkbox
        {...register('applicationRequired')}
        label={<span className="font-semibold">Require application</span>}
        hint="People answer your questions first, and you decide who joins."
      />
      {isRequired && (
        <>
          <Field
            label="Application instructions"
            hint="Shown above the questions. If you leave this empty, the previous instructions are kept."
            error={errors.applicationInstructions?.message}
            aside={<CharacterCount value={instructions} max={questionLimits.instructions} />}
          >
            <Textarea {...register('applicationInstructions')} rows={3} />
          </Field>
          {questionsMissing && (
            <Banner>
              Your questions could not be loaded; these are the usual ones. What you saved before
              stays, unless you change something here.
            </Banner>
          )}
          <QuestionFields
            // It knows the questions only; the course's form holds them beside the rest.
            form={form as unknown as UseFormReturn<QuestionValues>}
            emptyMessage={emptyQuestion.inCourseForm}
          />
        </>
      )}
    </>
  )
}
