import { Check, X } from 'lucide-react'
import { withoutLightning } from '../../../courses/rules.ts'
import { Card } from '../../../../ui/card.tsx'
import { fateOf } from '../../leaving-rules.ts'
import type { DeletionPreview } from '../../leaving-schema.ts'

/** What goes and what stays, in this person's own numbers. */
export function WhatHappens({
  courses,
  consequences,
}: Pick<DeletionPreview, 'courses' | 'consequences'>) {
  return (
    <Card as="section" aria-labelledby="what-happens">
      <h2 id="what-happens" className="mb-5 text-xl">
        What happens
      </h2>
      <ul className="grid gap-3">
        {consequences.map(({ text, stays }) => (
          <li key={text} className="flex gap-3">
            <span className="grid h-6 shrink-0 place-items-center">
              {stays ? (
                <Check size={18} className="text-success" aria-hidden />
              ) : (
                <X size={18} className="text-danger" aria-hidden />
              )}
            </span>
            <span className="text-pretty">
              <span className="sr-only">{stays ? 'Stays: ' : 'Goes: '}</span>
              {text}
            </span>
          </li>
        ))}
      </ul>
      {courses.length > 0 && <OwnCourses courses={courses} />}
    </Card>
  )
}

function OwnCourses({ courses }: Pick<DeletionPreview, 'courses'>) {
  return (
    <>
      <h3 className="mt-6 mb-3 text-lg">Courses you created</h3>
      <ul className="grid divide-y rounded-card border">
        {courses.map(({ id, title, ...course }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-6 gap-y-1 px-4 py-3">
            <span className="min-w-0 font-semibold wrap-anywhere">{withoutLightning(title)}</span>
            <span className="text-muted tabular-nums">{fateOf(course)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
