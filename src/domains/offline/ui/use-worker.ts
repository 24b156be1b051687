import { type RefObject, useEffect } from 'react'
import { useRouteLoaderData } from 'react-router'
import { useLiveEvents } from '../../../web/use-live-events.ts'
import type { Me } from '../../accounts/contract.ts'
import type { KeptLesson, WorkerMessage } from '../kept-lesson.ts'

/** Browsers have workers on secure addresses only. */
const workers = () => ('serviceWorker' in navigator ? navigator.serviceWorker : null)

/** Waits for the worker of this page, forever where there is none. */
export async function tellWorker(message: WorkerMessage) {
  const registration = await workers()?.ready
  registration?.active?.postMessage(message)
}

/** Starts the service worker for who is signed in, and tells it who that is. */
export function useWorker(userId: string | undefined): void {
  useEffect(() => {
    if (userId === undefined) return
    // A browser may refuse, as in private windows: then there is nothing to read offline.
    void workers()
      ?.register('/sw.js')
      .then(() => tellWorker({ type: 'here', owner: userId }))
      .catch(() => {})
  }, [userId])
}

/** Keeps the text of an opened lesson, as it is on the page, for when there is no connection. */
export function useKeptLesson(
  text: RefObject<HTMLElement | null>,
  { path, title, courseId, course }: Omit<KeptLesson, 'html'>,
): void {
  const owner = useRouteLoaderData<{ me: Me | null }>('root')?.me?.id
  useEffect(() => {
    if (owner === undefined) return
    const html = text.current?.innerHTML ?? ''
    void tellWorker({ type: 'keep', owner, lesson: { path, title, courseId, course, html } })
  }, [text, owner, path, title, courseId, course])
}

/** What is kept of a course goes when somebody is not in it any more, whatever page they are on. */
export function useForgottenCourses(): void {
  useLiveEvents({
    looksBack: true,
    onEvent: (event) => {
      if (event.type !== 'accessEnded') return
      void tellWorker({ type: 'left', courseId: event.courseId })
    },
    onGap: () => {},
  })
}
