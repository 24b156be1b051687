import { Worker } from 'node:worker_threads'
import { type Brand, brand } from '../site/brand.ts'
import { type CheckedCourse, tooManyParts } from './check-course-file.ts'
import { UnusableCourseFile } from './unusable-course-file.ts'

/** What the thread begins with. */
export interface CourseCheck {
  bytes: Uint8Array
  brand: Brand
}

export type CourseCheckOutcome = { checked: CheckedCourse } | { problem: string }

/**
 * MB of objects. The largest course that can be saved takes a small part of it. What the parser itself needs is not counted
 * in it, and is bounded by what `parseCourse` refuses before.
 */
const mostMemory = 512

/**
 * Parses and checks course.json in a thread of its own: 32 MB of it, which anybody can send packed in 100 KB, would keep
 * everybody waiting for seconds.
 * @throws {UnusableCourseFile}
 */
export async function checkApart(bytes: Uint8Array): Promise<CheckedCourse> {
  const { default: script } = await import('virtual:course-check-script')
  const check: CourseCheck = { bytes, brand }
  const thread = new Worker(script, {
    eval: true,
    workerData: check,
    resourceLimits: { maxOldGenerationSizeMb: mostMemory },
  })
  const outcome = await new Promise<CourseCheckOutcome>((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? resolve({ problem: tooManyParts })
        : reject(error),
    )
    thread.once('exit', () => reject(new Error('the thread ended without an answer')))
  })
  if ('problem' in outcome) throw new UnusableCourseFile(outcome.problem)
  return outcome.checked
}
