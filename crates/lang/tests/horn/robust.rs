//! robust
