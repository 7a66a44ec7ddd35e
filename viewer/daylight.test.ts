import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afternoonAt, followDaylight } from './daylight.ts';

const radians = (degrees: number) => (degrees * Math.PI) / 180;

test('it is 13:00 of a summer day wherever one looks', () => {
  assert.equal(afternoonAt(0, radians(50)).toISOString(), '2026-07-20T13:00:00.000Z');
  assert.equal(afternoonAt(radians(135), radians(35)).toISOString(), '2026-07-20T04:00:00.000Z');
  assert.equal(afternoonAt(radians(-75), radians(-12)).toISOString(), '2026-01-20T18:00:00.000Z');
});

test('the sun follows the camera, but not while visitors look at shadows', () => {
  class Julian {
    readonly date: Date;
    constructor(date: Date) {
      this.date = date;
    }
    static fromDate = (date: Date): Julian => new Julian(date);
  }
  const positionCartographic = { longitude: 0, latitude: 0 };
  const shadowMap = { enabled: false };
  const listeners: (() => void)[] = [];
  const clock = { currentTime: new Julian(new Date(0)) };
  const widget = {
    clock,
    camera: { positionCartographic, moveEnd: { addEventListener: (one: () => void) => listeners.push(one) } },
    scene: { shadowMap },
  };
  const map = { getCesiumWidget: () => widget };
  followDaylight(map);
  followDaylight(map);
  assert.equal(listeners.length, 1, 'a map that is activated again is followed once');
  const hourAfterMove = (longitude: number): number => {
    positionCartographic.longitude = radians(longitude);
    listeners[0]!();
    return clock.currentTime.date.getUTCHours();
  };
  assert.equal(clock.currentTime.date.getUTCHours(), 13);
  assert.equal(hourAfterMove(90), 7);
  shadowMap.enabled = true;
  assert.equal(hourAfterMove(0), 7);
});
