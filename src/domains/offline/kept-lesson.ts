// What pages tell the service worker, and what it fills in. Both sides read it.

/** A lesson as it can be read without a connection: its text, no video. */
export interface KeptLesson {
  path: string
  title: string
  courseId: string
  /** Its title. */
  course: string
  /** The text as the page showed it. */
  html: string
}

export type WorkerMessage =
  | { type: 'here'; owner: string }
  | { type: 'keep'; owner: string; lesson: KeptLesson }
  /** The person is not in the course any more, or was not when this was told. */
  | { type: 'left'; courseId: string }

/** Of an answer that leads somebody who is not in a course to its public page; a worker sees no other sign of it. */
export const noAccessHeader = 'x-no-course-access'

export const lessonPath = /^\/course\/[^/]+\/lesson\/[^/]+$/

/** Places in the parts of the offline page. */
export const marks = {
  /** Leads somewhere as it is, too. */
  address: '/offline?kept',
  title: '__TITLE__',
  course: '__COURSE__',
  text: '__TEXT__',
  list: '__LIST__',
  end: '__END__',
}
