import { expect, it } from 'vitest';
import { complaintAbout } from './start-check.ts';

const facts = { name: 'redis', version: '7.0.15', mode: 'standalone', role: 'master' };

it('a server of Redis 7.0, Valkey 7.2, or newer is taken', () => {
  expect(complaintAbout(facts)).toBeUndefined();
  expect(complaintAbout({ ...facts, version: '10.0.0' })).toBeUndefined();
  expect(complaintAbout({ ...facts, name: 'valkey', version: '7.2.0' })).toBeUndefined();
  expect(complaintAbout({ ...facts, name: 'valkey', version: '9.0.1' })).toBeUndefined();
});

it('older servers, replicas and nodes of a cluster are refused', () => {
  expect(complaintAbout({ ...facts, version: '6.2.7' })).toMatch(/Redis 6.2.7, which is too old/);
  expect(complaintAbout({ ...facts, name: 'valkey', version: '7.1.0' })).toMatch(/Valkey 7.1.0/);
  expect(complaintAbout({ ...facts, role: 'replica' })).toMatch(/replica/);
  expect(complaintAbout({ ...facts, mode: 'cluster' })).toMatch(/Cluster/);
});
