import { Plus, Trash2 } from 'lucide-react'
import { type Dispatch, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { isBlank } from '../../../is-blank.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { linkAddress } from '../../lessons/rules.ts'
import { limits } from '../rules.ts'
import type { ContentStep, LessonDraft, LinkDraft } from './content-draft.ts'
import { useTitleProblem } from './title-problem.ts'

type LessonLinksProps = { lesson: LessonDraft; dispatch: Dispatch<ContentStep> }

/** The spec's 'Additional links': what learners find under the lesson. */
export function LessonLinks({ lesson, dispatch }: LessonLinksProps) {
  const id = useId()
  const list = useRef<HTMLFieldSetElement>(null)
  const isFull = lesson.links.length >= limits.linksPerLesson

  function add() {
    if (isFull) return
    flushSync(() => dispatch({ type: 'linkAdded', lesson: lesson.key }))
    list.current?.querySelector<HTMLElement>('li:last-child input')?.focus()
  }

  function remove(link: LinkDraft) {
    flushSync(() => dispatch({ type: 'linkRemoved', lesson: lesson.key, link: link.key }))
    list.current?.querySelector<HTMLElement>('[data-add-link]')?.focus()
  }

  return (
    <fieldset ref={list} aria-describedby={`${id}-hint`} className="grid min-w-0 gap-3">
      <legend className="mb-1 text-sm font-semibold">Additional links</legend>
      <p id={`${id}-hint`} className="text-sm text-muted">
        Learners find them below the lesson; they open in a new tab.
      </p>
      {lesson.links.length > 0 && (
        <ol className="grid gap-3">
          {lesson.links.map((link, index) => (
            <LinkFields
              key={link.key}
              link={link}
              number={index + 1}
              onChange={(change) =>
                dispatch({ type: 'linkChanged', lesson: lesson.key, link: link.key, change })
              }
              onRemove={() => remove(link)}
            />
          ))}
        </ol>
      )}
      <Button
        data-add-link
        variant="ghost"
        size="sm"
        aria-disabled={isFull || undefined}
        onClick={add}
        className="-ml-3.5 justify-self-start text-primary aria-disabled:opacity-50"
      >
        <Plus size={18} aria-hidden />
        {isFull ? `A lesson can have at most ${limits.linksPerLesson} links` : 'Add Link'}
      </Button>
    </fieldset>
  )
}

type LinkFieldsProps = {
  link: LinkDraft
  number: number
  onChange: (change: Partial<Pick<LinkDraft, 'title' | 'url' | 'description'>>) => void
  onRemove: () => void
}

function LinkFields({ link, number, onChange, onRemove }: LinkFieldsProps) {
  const title = useTitleProblem(link.title, 'Link title')
  const [urlLeft, setUrlLeft] = useState(false)
  const url = linkAddress(link.url.trim())
  const urlProblem = isBlank(link.url)
    ? 'Link URL is required'
    : 'Enter a web address such as https://example.com'

  return (
    <li>
      <fieldset
        aria-label={`Link ${number}`}
        className="grid min-w-0 gap-x-4 gap-y-3 rounded-control border bg-paper p-3 sm:grid-cols-2 sm:p-4"
      >
        <Field label="Link title" required error={title.problem}>
          <Input
            value={link.title}
            autoComplete="off"
            onBlur={title.onBlur}
            onChange={(event) => onChange({ title: event.target.value })}
          />
        </Field>
        <Field label="Link URL" required error={urlLeft && !url ? urlProblem : undefined}>
          <Input
            value={link.url}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://"
            onBlur={() => {
              setUrlLeft(true)
              if (url && url !== link.url) onChange({ url })
            }}
            onChange={(event) => onChange({ url: event.target.value })}
          />
        </Field>
        <div className="flex items-end gap-2 sm:col-span-2">
          <Field
            label="Link description"
            optional
            className="flex-1"
            error={
              link.description.trim().length > limits.shortDescription
                ? `Link description can have at most ${limits.shortDescription} characters`
                : undefined
            }
          >
            <Input
              value={link.description}
              autoComplete="off"
              onChange={(event) => onChange({ description: event.target.value })}
            />
          </Field>
          <Button
            variant="ghost"
            size="icon"
            aria-label={
              link.title.trim() ? `Remove link “${link.title.trim()}”` : `Remove link ${number}`
            }
            className="text-muted hover:bg-danger-soft hover:text-danger"
            onClick={onRemove}
          >
            <Trash2 size={18} aria-hidden />
          </Button>
        </div>
      </fieldset>
    </li>
  )
}
