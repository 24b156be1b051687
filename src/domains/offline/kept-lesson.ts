// What pages tell the service worker, and what it fills in. Both sides read it.

/** A lesson as it can be read without a connection: its text, no video. */
export interface KeptLesson {
  path: string
  title: string
  course: string
  /** The text as the page showed it. */
  html: string
}

export type WorkerMessage =
  | { type: 'here'; owner: string }
  | { type: 'keep'; owner: string; lesson: KeptLesson }

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
