// Every address a person can visit, and the module that answers it.
import { index, layout, route, type RouteConfig } from '@react-router/dev/routes'

export default [
  index('domains/site/ui/home.tsx'),
  route('about', 'domains/site/ui/about.tsx'),
  route('privacy', 'domains/site/ui/privacy.tsx'),
  route('terms', 'domains/site/ui/terms.tsx'),
  route('explore', 'domains/courses/ui/explore.tsx'),
  route('course/:slug', 'domains/courses/ui/course-page.tsx'),
  route('login', 'domains/accounts/ui/login.tsx'),
  route('signup', 'domains/accounts/ui/signup.tsx'),
  route('logout', 'domains/accounts/ui/logout.tsx'),
  layout('web/signed-in.tsx', [
    route('dashboard', 'domains/courses/ui/dashboard.tsx'),
    route('create-course', 'domains/courses/ui/create-course.tsx'),
    route('create-lessons/:courseId', 'domains/courses/ui/edit-content.tsx'),
    route('course/:slug/dashboard', 'domains/courses/ui/member-page.tsx'),
    route('course/:courseSlug/lesson/:lessonSlug', 'domains/lessons/ui/lesson-page.tsx'),
    route('lesson/:lessonId', 'domains/lessons/ui/lesson-by-id.tsx'),
  ]),
  route('*', 'domains/site/ui/not-found.tsx'),
] satisfies RouteConfig
