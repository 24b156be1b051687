// What happened in a course of late, from the page's loader or from the browser.
import type { Activity } from '../schema.ts'

export interface CourseActivities {
  activities: Activity[]
  /** When they were asked for. */
  at: Date
}

type Calls = {
  getCourseActivity(course: { courseId: string }): Promise<{ activities: Activity[] }>
}

export async function loadActivities(calls: Calls, courseId: string): Promise<CourseActivities> {
  const { activities } = await calls.getCourseActivity({ courseId })
  return { activities, at: new Date() }
}
