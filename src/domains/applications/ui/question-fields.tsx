import { Plus, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { useFieldArray, useFormState, type UseFormReturn } from 'react-hook-form'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field, FieldError, Textarea } from '../../../ui/field.tsx'
import { MoveButtons } from '../../courses/ui/editor-buttons.tsx'
import { questionLimits } from '../rules.ts'

/** What a form has to hold. */
export interface QuestionValues {
  applicationQuestions: { id?: string; question: string; required: boolean }[]
}

/** A question is one line, however many it takes on a phone. */
const inOneLine = (text: string) => text.replaceAll(/\n+/g, ' ')

/** As in a field of one line. */
function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}

type QuestionFieldsProps = {
  form: UseFormReturn<QuestionValues>
  /** What the form's check says of a question without words. */
  emptyMessage: string
}

/** What an applicant is asked: add, word, require, move and remove; at least one question remains. */
export function QuestionFields({ form, emptyMessage }: QuestionFieldsProps) {
  const { control, register, setFocus } = form
  const { fields, append, move, remove } = useFieldArray({
    control,
    name: 'applicationQuestions',
    // The server's id stays a value of the question.
    keyName: 'key',
  })
  /** For who does not see where a question went. */
  const [moved, setMoved] = useState('')
  const errors = useFormState({ control }).errors.applicationQuestions
  const messageAt = (index: number) => errors?.[index]?.question?.message
  const hasEmpty = fields.some((_, index) => messageAt(index) === emptyMessage)
  const isFull = fields.length >= questionLimits.questions

  function removeAt(index: number) {
    flushSync(() => remove(index))
    setFocus(`applicationQuestions.${Math.min(index, fields.length - 2)}.question`)
  }

  function moveBy(index: number, by: -1 | 1) {
    move(index, index + by)
    setMoved(`Question ${index + 1} is now ${index + 1 + by} of ${fields.length}.`)
  }

  return (
    <fieldset className="grid min-w-0 gap-4">
      <legend className="mb-3 text-sm font-semibold">Application questions</legend>
      <output className="sr-only">{moved}</output>
      <ol className="grid gap-4">
        {fields.map((field, index) => {
          const name = `Question ${index + 1}`
          const message = messageAt(index)
          return (
            <li key={field.key} className="grid gap-2 rounded-card border p-4">
              <Field
                label={name}
                error={message === emptyMessage ? 'This question is empty.' : message}
              >
                <Textarea
                  {...register(`applicationQuestions.${index}.question`, { setValueAs: inOneLine })}
                  rows={2}
                  autoComplete="off"
                  enterKeyHint="done"
                  onKeyDown={sendOnEnter}
                  className="min-h-11"
                />
              </Field>
              <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                <Checkbox
                  {...register(`applicationQuestions.${index}.required`)}
                  label={
                    <>
                      Required<span className="sr-only">: {name}</span>
                    </>
                  }
                />
                <div className="flex">
                  <MoveButtons
                    name={name}
                    index={index}
                    count={fields.length}
                    onMove={(by) => moveBy(index, by)}
                  />
                  <Button
                    variant="ghost"
                    size="icon-sm"
                    aria-label={`Remove “${name}”`}
                    disabled={fields.length === 1}
                    className="text-muted hover:bg-danger-soft hover:text-danger"
                    onClick={() => removeAt(index)}
                  >
                    <Trash2 size={18} aria-hidden />
                  </Button>
                </div>
              </div>
            </li>
          )
        })}
      </ol>
      <div role="alert" className="empty:hidden">
        {hasEmpty && <FieldError>{emptyMessage}</FieldError>}
        {errors?.root?.message && <FieldError>{errors.root.message}</FieldError>}
      </div>
      <Button
        variant="secondary"
        size="sm"
        className="justify-self-start"
        disabled={isFull}
        onClick={() => append({ question: '', required: true })}
      >
        {!isFull && <Plus size={18} aria-hidden />}
        {isFull
          ? `There can be at most ${questionLimits.questions} application questions`
          : 'Add Question'}
      </Button>
    </fieldset>
  )
}
