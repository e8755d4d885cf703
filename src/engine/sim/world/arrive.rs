//! Requests arrive: an open stream, or callers who ask again.

use super::types::Request;
use super::{NEVER, NONE, World, place};
use crate::engine::sim::clock::Kind;
use crate::engine::sim::event::Event;
use crate::engine::sim::logarithm::minus_ln;
use crate::engine::sim::rng::{below, unit};
use crate::engine::sim::{Arrivals, Nanos};

/// Who asks what.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    /// Number of the proxy in the experiment.
    pub client: u32,
    pub key: u64,
    pub caller: u32,
    pub asks_left: u32,
}

impl World {
    /// What makes the first requests come.
    pub(super) fn first_arrivals(&mut self) {
        if self.config.clients == 0 {
            return;
        }
        match self.config.experiment.load.arrivals {
            Arrivals::Poisson => self.plan_arrival(),
            Arrivals::Paced => {
                for client in 0..self.config.clients {
                    let offset = unit(self.config.chance.stagger.draw(u64::from(client), 0));
                    if let Some(at) = self.rates.next_of(client, 0, offset) {
                        self.schedule(at, Event::Paced { client });
                    }
                }
            }
            Arrivals::Closed { callers, .. } => {
                let all = callers.saturating_mul(self.config.clients);
                self.asked = vec![0; all as usize];
                self.last_asked = vec![0; all as usize];
                (0..all).for_each(|caller| self.think(caller));
            }
        }
    }

    /// Draws the next arrival of the Poisson stream of all proxies.
    #[inline]
    fn plan_arrival(&mut self) {
        let gap = minus_ln(self.gaps.unit());
        let seq = self.next_seq();
        self.next_arrival = self.rates.next(self.now, gap).map_or(NEVER, |at| place(at, seq));
    }

    /// A request of the Poisson stream.
    #[inline]
    pub(super) fn on_arrival(&mut self) {
        let key = self.arrived;
        let client = match self.config.clients {
            1 => 0,
            _ => self.rates.client(self.config.chance.client.draw(key, 0)),
        };
        self.plan_arrival();
        let asks_left = self.config.experiment.load.caller.retries;
        self.arrive(Ask { client, key, caller: NONE, asks_left });
    }

    /// A request of a paced proxy.
    pub(super) fn on_paced(&mut self, client: u32) {
        if let Some(at) = self.rates.next_of(client, self.now, 1.0) {
            self.schedule(at, Event::Paced { client });
        }
        let asks_left = self.config.experiment.load.caller.retries;
        self.arrive(Ask { client, key: self.arrived, caller: NONE, asks_left });
    }

    /// A caller of a closed loop has thought and asks.
    pub(super) fn on_ask(&mut self, caller: u32) {
        let asked = &mut self.asked[caller as usize];
        *asked += 1;
        self.last_asked[caller as usize] = self.now;
        let key = self.config.chance.caller.draw(u64::from(caller), u64::from(*asked));
        let client = caller % self.config.clients.max(1);
        let asks_left = self.config.experiment.load.caller.retries;
        self.arrive(Ask { client, key, caller, asks_left });
    }

    /// A caller of a closed loop thinks, then asks, unless it is too late by then.
    pub(super) fn think(&mut self, caller: u32) {
        let nth = self.asked.get(caller as usize).copied().unwrap_or(0);
        let mean = self.config.think();
        let span = if mean == Nanos::ZERO {
            // An answer may take no time here. Who asks again at once would ask for ever in one
            // moment, so the first question of a moment is the last.
            let again = nth > 0 && self.last_asked[caller as usize] == self.now;
            Nanos(u64::from(again) * Nanos::MILLI.0)
        } else {
            let bits = self.config.chance.stagger.draw(u64::from(caller), nth.into());
            Nanos::rounded(minus_ln(unit(bits)) * mean.0 as f64)
        };
        let at = self.now.saturating_add(span.0);
        if at < self.config.duration {
            self.schedule(at, Event::Ask { caller });
        }
    }

    /// The place of a proxy, made when its first request comes.
    #[inline]
    fn place_of(&mut self, client: u32) -> u32 {
        let at = self.client_at[client as usize];
        if at == NONE { self.make_client(client) } else { at }
    }

    #[cold]
    fn make_client(&mut self, id: u32) -> u32 {
        let client = self.config.client(id);
        let at = u32::try_from(self.clients.len()).unwrap_or(NONE);
        if let Some(detector) = &client.detector {
            // The detector has run since the start.
            let interval = detector.next_tick().0.max(1);
            let next = self.now.div_ceil(interval).max(1).saturating_mul(interval);
            self.schedule(next, Event::Tick { client: at });
        }
        self.clients.push(client);
        self.client_at[id as usize] = at;
        at
    }

    /// A request arrives at its proxy.
    #[inline]
    pub(super) fn arrive(&mut self, ask: Ask) {
        self.arrived += 1;
        let client = self.place_of(ask.client);
        let config = &self.config;
        #[allow(clippy::cast_possible_truncation, reason = "below a number of 32 bits")]
        let worker = match config.workers {
            1 => 0,
            n => below(config.chance.worker.draw(ask.key, 0), u64::from(n)) as u32,
        };
        let high =
            config.high_share > 0.0 && unit(config.chance.priority.draw(ask.key, 0)) < config.high_share;
        let retries_left = config.experiment.policy.route.retry.as_ref().map_or(0, |r| r.num_retries);
        let counted = self.now >= config.warm_up;
        self.serial = self.serial.wrapping_add(1);
        let request = self.requests.insert(Request {
            key: ask.key,
            arrived: self.now,
            serial: self.serial,
            client,
            worker,
            bucket: self.record.bucket(),
            first: NONE,
            tries: 0,
            attached: 0,
            retries_left,
            back_offs: 0,
            caller: ask.caller,
            asks_left: ask.asks_left,
            tried: NONE,
            route: NONE,
            deadline: NONE,
            stream_idle: NONE,
            stream_duration: NONE,
            priority: u8::from(high),
            alive: true,
            freed: false,
            counted,
            backing_off: false,
            slot: false,
            answering: false,
            sent: false,
        });
        self.record.slot().arrivals += u64::from(counted);
        let armed = [Kind::Route, Kind::Deadline, Kind::StreamIdle, Kind::StreamDuration]
            .map(|kind| self.arm(kind, request));
        let it = &mut self.requests[request];
        [it.route, it.deadline, it.stream_idle, it.stream_duration] = armed;
        self.send(request);
    }
}
