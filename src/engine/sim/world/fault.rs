//! Faults begin and end.

use super::types::State;
use super::{NONE, World};
use crate::engine::sim::event::Event;
use crate::engine::sim::{FaultKind, Hosts, Nanos};

impl World {
    /// Puts the edges of all faults on the calendar.
    pub(super) fn schedule_faults(&mut self) {
        for number in 0..self.config.experiment.faults.len() {
            let fault = &self.config.experiment.faults[number];
            let (kind, from, to) = (fault.kind, fault.from.0, fault.to.0);
            let number = u32::try_from(number).unwrap_or(NONE);
            if from >= to || kind == FaultKind::LoadSurge {
                continue;
            }
            if kind == FaultKind::RollingDeploy {
                self.schedule(from, Event::Deploy { fault: number, step: 0 });
            } else {
                self.schedule(from, Event::Edge { fault: number });
                self.schedule(to, Event::Edge { fault: number });
            }
        }
    }

    /// A fault begins, or ends.
    pub(super) fn on_edge(&mut self, fault: u32) {
        let begins = !self.in_force.contains(&fault);
        if begins {
            self.in_force.push(fault);
        } else {
            self.in_force.retain(|&other| other != fault);
        }
        let it = &self.config.experiment.faults[fault as usize];
        if it.kind != FaultKind::ZoneLoss {
            return;
        }
        let hosts: Vec<u32> = (0..self.config.n_hosts).filter(|&host| it.hosts.has(host)).collect();
        for &host in &hosts {
            let vanished = &mut self.hosts[host as usize].vanished;
            *vanished = if begins { *vanished + 1 } else { vanished.saturating_sub(1) };
        }
        if begins {
            self.stop_hosts(&hosts);
        }
    }

    /// A step of a rolling deploy: host after host stops, evenly over the time of the fault, and
    /// starts again after it was down for `strength` seconds.
    pub(super) fn on_deploy(&mut self, fault: u32, step: u32) {
        let it = &self.config.experiment.faults[fault as usize];
        let n = match &it.hosts {
            Hosts::Count(n) => (*n).min(self.config.n_hosts),
            Hosts::These(list) => u32::try_from(list.len()).unwrap_or(NONE),
        };
        let nth = step / 2;
        let host = match &it.hosts {
            Hosts::Count(_) => Some(nth),
            Hosts::These(list) => list.get(nth as usize).copied(),
        };
        let (from, length) = (it.from.0, it.to.0 - it.from.0);
        let down = Nanos::from_secs(it.strength);
        let host = host.filter(|&host| nth < n && host < self.config.n_hosts);
        if step % 2 == 1 {
            if let Some(host) = host {
                let refusing = &mut self.hosts[host as usize].refusing;
                *refusing = refusing.saturating_sub(1);
            }
            return;
        }
        if let Some(host) = host {
            self.hosts[host as usize].refusing += 1;
            self.schedule(self.now.saturating_add(down.0), Event::Deploy { fault, step: step + 1 });
            self.stop_hosts(&[host]);
        }
        if nth + 1 < n {
            let share = f64::from(nth + 1) / f64::from(n);
            let at = from.saturating_add(Nanos::rounded(length as f64 * share).0);
            self.schedule(at, Event::Deploy { fault, step: step + 2 });
        }
    }

    /// Hosts stop: what they were doing is lost, and their connections are reset.
    fn stop_hosts(&mut self, hosts: &[u32]) {
        self.empty_hosts(hosts);
        for pool in 0..self.pools.numbers() {
            if hosts.binary_search(&self.pools[pool].host).is_err() {
                continue;
            }
            let mut conn = self.pools[pool].all;
            while conn != NONE {
                let it = self.conns[conn];
                // Those being set up find out by themselves.
                if it.state != State::Connecting && it.state != State::Closed {
                    self.lose_connection(conn);
                }
                conn = it.next_of_all;
            }
        }
    }

    /// Whether packets of a proxy reach a host.
    #[inline]
    pub(super) fn reaches(&self, client: u32, host: u32) -> bool {
        if self.in_force.is_empty() {
            return true;
        }
        if self.hosts[host as usize].vanished > 0 {
            return false;
        }
        let client = self.clients[client as usize].id;
        !self.in_force.iter().any(|&number| {
            let fault = &self.config.experiment.faults[number as usize];
            fault.kind == FaultKind::Partition && fault.hosts.has(host) && fault.clients.has(client)
        })
    }
}
