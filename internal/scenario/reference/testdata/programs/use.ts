// Uses the clients that three generators make of openapi.json: they have the same names, and
// their types are the same where each is given the others' values.
import type {components, paths} from './made/openapi-typescript';
import * as hey from './made/hey-api';
import * as swagger from './made/swagger-typescript-api/api';

type Schemas = components['schemas'];

export const requests = (a: Schemas['ClockInRequest'], b: Schemas['SaveTaskRequest'], c: Schemas['LoginRequest']) => {
  const [heyA, heyB, heyC]: [hey.ClockInRequest, hey.SaveTaskRequest, hey.LoginRequest] = [a, b, c];
  const all: [swagger.ClockInRequest, swagger.SaveTaskRequest, swagger.LoginRequest] = [heyA, heyB, heyC];
  return all;
};

interface Answers<Task, TaskImage, Ticket, Activity, ShiftToday, AttendanceToday, Profile, User, Problem> {
  task: Task; image: TaskImage; ticket: Ticket; activity: Activity; shift: ShiftToday; today: AttendanceToday;
  profile: Profile; user: User; problem: Problem;
}

export const answers = (a: Answers<Schemas['Task'], Schemas['TaskImage'], Schemas['Ticket'], Schemas['Activity'],
  Schemas['ShiftToday'], Schemas['AttendanceToday'], Schemas['Profile'], Schemas['User'], Schemas['Problem']>) => {
  const b: Answers<hey.Task, hey.TaskImage, hey.Ticket, hey.Activity, hey.ShiftToday, hey.AttendanceToday,
    hey.Profile, hey.User, hey.Problem> = a;
  return b;
};

// @ts-expect-error: a clock-in has a position
export const incomplete: Schemas['ClockInRequest'] = {addressId: '1', employeeShiftId: '1'};
// @ts-expect-error: there is no such status
export const unknown: hey.TaskStatus = 'finished';

export const path: keyof paths = '/attendance/clockIn';

export async function clockIn(body: hey.ClockInRequest): Promise<boolean> {
  const {data, error} = await hey.clockIn({body, headers: {'X-Req-Id': '1'}});
  if (error) throw new Error(`${error.code}: ${error.detail}`);
  const answer = await new swagger.Api({baseUrl: ''}).attendance.clockIn(body);
  return data.clockedIn && answer.data.clockedIn;
}
