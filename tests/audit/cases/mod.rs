//! Real misconfigurations, each with the right diagnosis, its number, and the wrong answer that must not be given.
//!
//! Sources are issues and pull requests of public projects, named in each case; texts and figures are our own wording
//! of what they report.

mod a_to_d;
mod e_to_g;
mod h_to_k;
mod l_to_n;
mod more_a_to_h;
mod more_i_to_t;
mod o_r_s;
mod p_t;
mod q;
